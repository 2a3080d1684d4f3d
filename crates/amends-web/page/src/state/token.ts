// The server's token: from the fragment `#token=...` into this tab's memory, and out of the address at once.
import { signal } from "@preact/signals";

const KEY = "amends-token";

export const token = signal<string | null>(read());

function read(): string | null {
  const given = parseToken(location.hash);
  if (given) {
    history.replaceState(null, "", location.pathname + given.rest);
    keep(given.token);
    return given.token;
  }
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The token of a fragment, and the fragment that remains: a view may follow behind `&/` or `/#/`. Everything else is the token's. */
export function parseToken(fragment: string): { token: string; rest: string } | null {
  const given = /^#token=(.*?)(?:(?:&\/|&#\/|#\/)(.*))?$/s.exec(fragment);
  if (!given) return null;
  return { token: decoded(given[1] ?? ""), rest: given[2] === undefined ? "" : `#/${given[2]}` };
}

/** Percent signs that encode nothing are the token's own. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
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
