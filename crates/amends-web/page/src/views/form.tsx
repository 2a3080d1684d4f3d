// A form for an application, made from the schema.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, asApiError, request } from "../api/client";
import type { Application, ApplicantWithApplication, Decision, Feature } from "../api/types";
import { ErrorBox } from "../components/error-box";
import { PageTitle } from "../components/page-title";
import { ValueInput } from "../components/value-input";
import { words } from "../i18n";
import { address } from "../state/address";
import { applicationHref } from "../state/question";
import { schema } from "../state/server";
import { isNumeric, show } from "../text/labels";
import { outsideText, problemOf, textsOf, valueOf } from "../text/values";

export function FormView() {
  const w = words.value.application;
  const features = schema.value?.features ?? [];
  const [texts, setTexts] = useState<Record<string, string>>(() => textsOf(features, given()));
  const [checked, setChecked] = useState(false);
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const from = address.value.query["from"];
  useEffect(() => {
    if (!from || !/^\d+$/.test(from)) return;
    request<ApplicantWithApplication>(`/applicants/${from}`)
      .then((row) => setTexts(textsOf(features, row.application)))
      .catch((error: unknown) => setRefusal(asApiError(error)));
  }, [from]);
  const problems = new Map(features.map((feature) => [feature.name, problem(feature, texts, checked, refusal)]));
  const count = [...problems.values()].filter(Boolean).length;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChecked(true);
    setRefusal(null);
    const wrong = features.find((feature) => problemOf(feature, texts[feature.name] ?? "") !== null);
    if (wrong) return focus(wrong.name);
    const application: Application = Object.fromEntries(features.map((feature) => [feature.name, valueOf(feature, texts[feature.name] ?? "") ?? ""]));
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
        {count > 0 && <p class="notice bad" role="alert">{w.problems(count)}</p>}
        {refusal && count === 0 && <ErrorBox error={refusal} />}
        <div class="grid">
          {features.map((feature) => (
            <ValueInput
              key={feature.name}
              feature={feature}
              text={texts[feature.name] ?? ""}
              set={(text) => { setTexts({ ...texts, [feature.name]: text }); setRefusal(null); }}
              problem={problems.get(feature.name)}
              hint={outsideText(feature, texts[feature.name] ?? "") ?? hint(feature)}
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
    return JSON.parse(address.value.query["a"] ?? "{}") as Application;
  } catch {
    return {};
  }
}

function problem(feature: Feature, texts: Record<string, string>, checked: boolean, refusal: ApiError | null): string | null {
  if (!checked) return null;
  const refused = refusal?.problems.find((one) => one.feature === feature.name);
  if (refused) return refused.remedy ? `${refused.message}: ${refused.remedy}` : refused.message;
  return problemOf(feature, texts[feature.name] ?? "");
}

function hint(feature: Feature): string | null {
  if (!isNumeric(feature) || !feature.number) return null;
  const w = words.value.application;
  const range = w.range(show(feature, feature.number.least), show(feature, feature.number.most));
  return feature.kind === "integer" ? `${w.whole}, ${range}` : range;
}

const focus = (name: string): void => document.getElementById(`value-${name}`)?.focus();
