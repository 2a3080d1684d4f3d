// Accepted or rejected: in words and with a sign, never by colour alone.
import { words } from "../i18n";

export function Verdict({ accepted }: { accepted: boolean }) {
  const w = words.value.decision;
  return (
    <span class={`verdict ${accepted ? "accepted" : "rejected"}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={accepted ? "M3 8.5 6.5 12 13 4.5" : "M4 4l8 8M12 4l-8 8"} />
      </svg>
      {accepted ? w.accepted : w.rejected}
    </span>
  );
}
