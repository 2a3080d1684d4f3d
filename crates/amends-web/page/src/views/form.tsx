import { PageTitle } from "../components/page-title";
import { words } from "../i18n";

export function FormView() {
  return <PageTitle text={words.value.application.newHeading} />;
}
