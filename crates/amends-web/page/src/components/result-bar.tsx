// The result so far, always in sight while wishes are being set further down the page.
import { useEffect, useState } from "preact/hooks";
import { words } from "../i18n";
import { current, isFresh } from "../state/solve";
import { resultSentence } from "../text/plan";
import { focusOn } from "./focus";
import { SolveState } from "./solve-state";

export function ResultBar() {
  const w = words.value.solving;
  const [planInSight, setPlanInSight] = useState(false);
  useEffect(() => {
    const plan = document.getElementById("result");
    if (!plan) return undefined;
    const watch = new IntersectionObserver(([entry]) => setPlanInSight(entry?.isIntersecting ?? false), { rootMargin: "-120px 0px" });
    watch.observe(plan);
    return () => watch.disconnect();
  }, []);
  const answered = current.value;
  if (!answered || planInSight) return null;
  return (
    <section class="result-bar no-print" aria-label={w.bar}>
      <p class={isFresh.value ? "" : "stale"}>{resultSentence(answered.answer)}</p>
      <SolveState compact />
      <button type="button" class="plain" onClick={() => focusOn("result")}>{w.seePlan}</button>
    </section>
  );
}
