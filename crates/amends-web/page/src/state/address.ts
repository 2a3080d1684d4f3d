// The fragment of the address holds the state of the page: `#/applicant/12?lang=de&plans=3`. It never reaches the server.
import { signal } from "@preact/signals";

export type Query = Readonly<Record<string, string>>;

export interface Address {
  readonly path: readonly string[];
  readonly query: Query;
}

/** Changes of one control within this time, in milliseconds, are one step of the back button. */
const ONE_STEP = 1500;

export const address = signal<Address>({ path: [], query: {} });

export function parse(fragment: string): Address {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").filter((part) => part !== "");
  return { path: parts.map(decoded), query: Object.fromEntries(new URLSearchParams(query)) };
}

export function format({ path, query }: Address): string {
  const parameters = Object.entries(query).map(([key, value]) => `${key}=${readable(value)}`);
  return `#/${path.map(encodeURIComponent).join("/")}${parameters.length ? `?${parameters.join("&")}` : ""}`;
}

/** Encodes what would be misread, and leaves the punctuation of JSON legible. */
function readable(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|2C|5B|5D|7B|7D|2F)/g, (code) => decodeURIComponent(code));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of another view. Its language stays; everything else is left behind unless it is given. */
export function href(path: readonly string[], query: Query = {}): string {
  const lang = address.value.query["lang"];
  return format({ path, query: lang && !("lang" in query) ? { ...query, lang } : query });
}

/** Goes to another view. */
export function go(path: readonly string[], query: Query = {}): void {
  move(href(path, query), false);
}

let last = { control: "", at: 0 };

/**
 * Changes parameters of this view; undefined removes one. `control` names what the user moved: a burst of its changes
 * is one step of the back button.
 */
export function update(changes: Readonly<Record<string, string | undefined>>, control = ""): void {
  const query: Record<string, string> = { ...address.value.query };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete query[key];
    else query[key] = value;
  }
  const now = Date.now();
  const replace = control !== "" && control === last.control && now - last.at < ONE_STEP;
  last = { control, at: now };
  move(format({ path: address.value.path, query }), replace);
}

/** Writes the address while something is being dragged, without a step of the back button. */
export function replace(fragment: string): void {
  move(fragment, true);
}

function move(fragment: string, replace: boolean): void {
  if (fragment === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", fragment);
  address.value = parse(fragment);
}

/** Follows links and the back button. */
export function listen(): void {
  const read = (): void => {
    if (format(address.value) !== location.hash) address.value = parse(location.hash);
  };
  address.value = parse(location.hash);
  addEventListener("popstate", read);
  addEventListener("hashchange", read);
}
