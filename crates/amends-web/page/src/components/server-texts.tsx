// What the server said, which is in English: in another language behind a sentence of the page.
import { language, words } from "../i18n";

export function ServerTexts({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  const list = <ul lang="en">{texts.map((text) => <li key={text}>{text}</li>)}</ul>;
  return language.value === "en" ? list : <details class="server-texts"><summary>{words.value.errors.details}</summary>{list}</details>;
}
