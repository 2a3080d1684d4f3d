// The server's token: from the fragment `#token=...` into this tab's memory, and out of the address at once.
import { signal } from "@preact/signals";

const KEY = "amends-token";

export const token = signal<string | null>(read());

function read(): string | null {
  const given = /^#token=([^&/]*)[&/]?(.*)$/.exec(location.hash);
  if (given) {
    const value = decodeURIComponent(given[1] ?? "");
    history.replaceState(null, "", location.pathname + (given[2] ? `#/${given[2].replace(/^\//, "")}` : ""));
    keep(value);
    return value;
  }
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Keeps a token as long as the tab is open. Without storage it lives as long as the page. */
function keep(value: string): void {
  try {
    sessionStorage.setItem(KEY, value);
  } catch {
    // Storage may be switched off.
  }
}

export function setToken(value: string): void {
  keep(value);
  token.value = value;
}
