import { PageTitle } from "../components/page-title";
import { number, words } from "../i18n";
import { address } from "../state/address";

export function ApplicantView() {
  const w = words.value.application;
  const row = address.value.path[1];
  return <PageTitle text={row ? w.ofRow(number(Number(row))) : w.own} />;
}
