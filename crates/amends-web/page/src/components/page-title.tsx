// The one first-level heading of a view, which also names the tab of the browser.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { words } from "../i18n";

export function PageTitle({ text, children }: { text: string; children?: ComponentChildren }) {
  const name = words.value.title;
  useEffect(() => {
    document.title = `${text} · ${name}`;
  }, [text, name]);
  return <h1>{text}{children}</h1>;
}
