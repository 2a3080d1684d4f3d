import { number, words } from "../i18n";
import { about } from "../state/server";

export function Footer() {
  const w = words.value.footer;
  const server = about.value;
  return (
    <footer class="bottom">
      <p>{w.local}</p>
      {server && <p>{w.data(server.data, number(server.applicants.rows))} · {w.version(server.version)}</p>}
    </footer>
  );
}
