// The wish for few changes.
import { words } from "../i18n";
import { wishes } from "../state/question";
import { about } from "../state/server";
import { setMaxChanges } from "../state/wishes";

export function MaxChanges() {
  const w = words.value.wishes;
  const most = about.value?.max_changes ?? 1;
  return (
    <label class="inline-label">
      {w.maxChanges}
      <select value={String(wishes.value.max_changes ?? "")} onChange={(event) => setMaxChanges(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}>
        <option value="">{w.unlimited(most)}</option>
        {Array.from({ length: most - 1 }, (_, index) => <option key={index} value={String(index + 1)}>{index + 1}</option>)}
      </select>
    </label>
  );
}
