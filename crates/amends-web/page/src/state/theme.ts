// Light or dark: as the system says, unless this browser was told otherwise here.
import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";
const KEY = "amends-theme";

const stored = (): Theme | null => {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
};

const system = matchMedia("(prefers-color-scheme: dark)");
const chosen = signal<Theme | null>(stored());
const preferred = signal<Theme>(system.matches ? "dark" : "light");
system.addEventListener("change", () => (preferred.value = system.matches ? "dark" : "light"));

export const currentTheme = (): Theme => chosen.value ?? preferred.value;

export function switchTheme(): void {
  chosen.value = currentTheme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEY, chosen.value);
  } catch {
    // Storage may be switched off: the choice then lives as long as the page.
  }
}

effect(() => {
  document.documentElement.dataset["theme"] = currentTheme();
});
