// Where the keyboard goes on when the button that it was on disappears.

/** Moves the focus to the first of these elements that is there once the page has followed. */
export function focusOn(...ids: readonly string[]): void {
  requestAnimationFrame(() => ids.map((id) => document.getElementById(id)).find((one) => one !== null)?.focus());
}
