// Audits: starting one and the list of those that there are, or one of them.
import { AuditList } from "../components/audit/audit-list";
import { StartForm } from "../components/audit/start-form";
import { PageTitle } from "../components/page-title";
import { words } from "../i18n";
import { address } from "../state/address";
import { AuditView } from "./audit";

export function AuditsView() {
  const w = words.value.audit;
  const id = address.value.path[1];
  if (id !== undefined) return <AuditView key={id} id={id} />;
  return (
    <>
      <PageTitle text={w.heading} />
      <p class="lead">{w.intro}</p>
      <StartForm />
      <AuditList />
    </>
  );
}
