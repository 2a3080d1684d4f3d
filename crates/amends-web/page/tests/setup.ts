// What the modules expect of a browser when they are loaded. Imported first.
const page = globalThis as unknown as Record<string, unknown>;
Object.defineProperty(page, "navigator", { value: { language: "en-GB" }, configurable: true });
page["document"] = { documentElement: { dataset: {}, lang: "" } };
page["location"] = { hash: "", pathname: "/" };
page["history"] = {
  pushState: (_: unknown, __: string, fragment: string) => ((page["location"] as { hash: string }).hash = fragment),
  replaceState: (_: unknown, __: string, fragment: string) => ((page["location"] as { hash: string }).hash = fragment),
};
