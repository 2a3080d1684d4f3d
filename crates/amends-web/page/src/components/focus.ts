// Where the keyboard goes on when the button that it was on disappears.

/** Moves the focus to an element once the page has followed. */
export function focusOn(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}
