// A form for an application, made from the schema.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, asApiError, request } from "../api/client";
import type { Application, ApplicantWithApplication, Decision, Feature } from "../api/types";
import { ErrorBox } from "../components/error-box";
import { PageTitle } from "../components/page-title";
import { ValueInput } from "../components/value-input";
import { language, words } from "../i18n";
import { address } from "../state/address";
import { applicationHref } from "../state/question";
import { schema } from "../state/server";
import { isNumeric, show } from "../text/labels";
import { EMPTY, type Entry, entriesOf, problemOf, valueOf } from "../text/values";

export function FormView() {
  const w = words.value.application;
  const features = schema.value?.features ?? [];
  const [entries, setEntries] = useState<ReadonlyMap<string, Entry>>(() => entriesOf(features, given()));
  const entryOf = (name: string): Entry => entries.get(name) ?? EMPTY;
  const [checked, setChecked] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const from = address.value.query["from"];
  useEffect(() => {
    if (!from || !/^\d+$/.test(from)) return;
    request<ApplicantWithApplication>(`/applicants/${from}`)
      .then((row) => setEntries(entriesOf(features, row.application)))
      .catch((error: unknown) => setRefusal(asApiError(error)));
  }, [from]);
  const problems = new Map(features.map((feature) => [feature.name, problem(feature, entryOf(feature.name), checked, refusal)]));
  const count = [...problems.values()].filter(Boolean).length;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    setRefusal(null);
    const wrong = features.find((feature) => problemOf(feature, entryOf(feature.name)) !== null);
    if (wrong) return focus(wrong.name);
    const application: Application = Object.fromEntries(features.map((feature) => [feature.name, valueOf(feature, entryOf(feature.name)) ?? ""]));
    try {
      await request<Decision>("/score", { application });
      location.hash = applicationHref(application);
    } catch (error) {
      const refused = asApiError(error);
      setRefusal(refused);
      const first = refused.problems.find((one) => one.feature !== null)?.feature;
      if (first) focus(first);
    }
  };
  return (
    <>
      <PageTitle text={from || address.value.query["a"] ? w.editHeading : w.newHeading} />
      <p class="lead">{w.newIntro}</p>
      <form class="card" onSubmit={(event) => void submit(event)} noValidate>
        {checked && count > 0 && <p class="notice bad" role="alert">{w.problems(count)}</p>}
        {refusal && (language.value !== "en" || !(checked && count > 0)) && <ErrorBox error={refusal} />}
        <div class="grid">
          {features.map((feature) => (
            <ValueInput
              key={feature.name}
              feature={feature}
              entry={entryOf(feature.name)}
              set={(entry) => { setEntries(new Map(entries).set(feature.name, entry)); setRefusal(null); }}
              problem={problems.get(feature.name)}
              hint={hint(feature)}
            />
          ))}
        </div>
        <p class="form-end"><button type="submit" class="primary">{w.submit}</button></p>
      </form>
    </>
  );
}

/** The application in the address, where it is being edited. */
function given(): Application {
  try {
    const value: unknown = JSON.parse(address.value.query["a"] ?? "{}");
    return typeof value === "object" && value !== null ? (value as Application) : {};
  } catch {
    return {};
  }
}

/** What is wrong with a field. Nothing is before the form was sent, but for a number that can't be read as it was typed. */
function problem(feature: Feature, entry: Entry, checked: boolean, refusal: ApiError | null): string | null {
  if (!checked && "text" in entry && entry.text.trim() === "") return null;
  if (!checked && "value" in entry) return null;
  const refused = refusal?.problems.find((one) => one.feature === feature.name);
  // The server speaks English: in another language its words are in the box above.
  if (refused && language.value !== "en") return words.value.application.refusedValue;
  if (refused) return refused.remedy ? `${refused.message}: ${refused.remedy}` : refused.message;
  return problemOf(feature, entry);
}

function hint(feature: Feature): string | null {
  if (!isNumeric(feature) || !feature.number) return null;
  const w = words.value.application;
  const range = w.range(show(feature, feature.number.least), show(feature, feature.number.most));
  return feature.kind === "integer" ? `${w.whole}, ${range}` : range;
}

const focus = (name: string): void => document.getElementById(`value-${name}`)?.focus();
