// Rules between features: the lender's, and those that an adviser adds.
import { useState } from "preact/hooks";
import { words } from "../i18n";
import { wishes } from "../state/question";
import { schema } from "../state/server";
import { solveError } from "../state/solve";
import { setRules } from "../state/wishes";
import { ServerTexts } from "./server-texts";

export function Rules() {
  const w = words.value.wishes;
  const [text, setText] = useState("");
  const own = wishes.value.rules ?? [];
  const lenders = schema.value?.rules ?? [];
  const problems = own.length ? (solveError.value?.problems.filter((problem) => problem.feature === null) ?? []) : [];
  const add = (event: Event): void => {
    event.preventDefault();
    const rule = text.trim();
    if (rule && !own.includes(rule)) setRules([...own, rule]);
    setText("");
  };
  return (
    <details class="card" open={own.length > 0}>
      <summary>{w.rules}</summary>
      {lenders.length > 0 && (
        <>
          <h3>{w.lenderRules}</h3>
          <ul lang="en">{lenders.map((rule) => <li key={rule}>{rule}</li>)}</ul>
        </>
      )}
      <p class="hint">{w.rulesIntro}</p>
      <form class="inline" onSubmit={add}>
        <label class="field wide">
          <span class="label">{w.ruleText}</span>
          <input type="text" value={text} onInput={(event) => setText(event.currentTarget.value)} maxLength={1000} />
        </label>
        <button type="submit">{w.addRule}</button>
      </form>
      {problems.length > 0 && (
        <div class="problem" role="alert">
          {w.refusedRule}
          <ServerTexts texts={problems.map(({ message, remedy }) => (remedy ? `${message}: ${remedy}` : message))} />
        </div>
      )}
    </details>
  );
}
