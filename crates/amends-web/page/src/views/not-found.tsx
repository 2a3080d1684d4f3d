import { words } from "../i18n";
import { href } from "../state/address";

export function NotFoundView() {
  const w = words.value.errors;
  return (
    <section class="card">
      <h1>{w.notFound}</h1>
      <p><a class="button" href={href([])}>{w.home}</a></p>
    </section>
  );
}
