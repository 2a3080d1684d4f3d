// What a screen reader hears when something changes elsewhere on the page.
import { signal } from "@preact/signals";

export const announcement = signal("");

export function announce(text: string): void {
  announcement.value = text;
}
