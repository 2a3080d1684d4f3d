// All that an applicant may wish, as cards or as questions.
import { useState } from "preact/hooks";
import type { Application, Plan } from "../api/types";
import { words } from "../i18n";
import { address, update } from "../state/address";
import { schema } from "../state/server";
import { isChangeable, title } from "../text/labels";
import { FeatureCard } from "./feature-card";
import { Guided } from "./guided";
import { MaxChanges } from "./max-changes";
import { ResultBar } from "./result-bar";
import { Rules } from "./rules";
import { Segmented } from "./segmented";
import { WishList } from "./wish-list";

/** More features than this are easier to find by their name. */
const SEARCH_FROM = 12;

export function WishesPanel({ application, plan }: { application: Application; plan: Plan | undefined }) {
  const w = words.value.wishes;
  const guided = address.value.query["mode"] === "guided";
  return (
    <>
      <h2>{w.heading}</h2>
      <p class="lead">{w.intro}</p>
      <Segmented
        name="mode"
        legend={w.mode}
        value={guided ? "guided" : "free"}
        choose={(mode) => update({ mode: mode === "guided" ? mode : undefined, step: undefined })}
        options={[{ value: "free", text: w.free }, { value: "guided", text: w.guided }]}
      />
      <WishList />
      {guided ? <Guided application={application} /> : <Cards application={application} plan={plan} />}
      <ResultBar />
    </>
  );
}

function Cards({ application, plan }: { application: Application; plan: Plan | undefined }) {
  const w = words.value.wishes;
  const [search, setSearch] = useState("");
  const features = (schema.value?.features ?? []).filter((feature) => title(feature).toLowerCase().includes(search.trim().toLowerCase()));
  const card = (name: string) => {
    const feature = features.find((one) => one.name === name);
    const now = application[name];
    return feature && now !== undefined ? <FeatureCard key={name} feature={feature} now={now} then={plan?.application[name]} /> : null;
  };
  const changeable = features.filter((feature) => isChangeable(feature, application[feature.name] ?? ""));
  const fixed = features.filter((feature) => !changeable.includes(feature));
  return (
    <>
      <div class="toolbar">
        <MaxChanges />
        {(schema.value?.features.length ?? 0) > SEARCH_FROM && (
          <label class="inline-label">
            {w.search}
            <input type="text" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
          </label>
        )}
      </div>
      <h2 class="visually-hidden">{w.cards}</h2>
      <div class="grid">{changeable.map(({ name }) => card(name))}</div>
      {fixed.length > 0 && (
        <details class="fixed">
          <summary>{w.fixed} ({fixed.length})</summary>
          <p class="hint">{w.fixedIntro}</p>
          <div class="grid">{fixed.map(({ name }) => card(name))}</div>
        </details>
      )}
      <Rules />
    </>
  );
}
