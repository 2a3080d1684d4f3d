// What can be taken home: the letter, a signed receipt, the data, a print.
import { useState } from "preact/hooks";
import { type ApiError, asApiError, request, send } from "../api/client";
import { save } from "../api/save";
import type { Answer, Application, SignedReceipt } from "../api/types";
import { LANGUAGES, dateTime, language, number, words } from "../i18n";
import { question } from "../state/question";
import { about } from "../state/server";
import { reasons } from "../state/solve";
import { ErrorBox } from "./error-box";

const json = (value: unknown): Blob => new Blob([JSON.stringify(value, null, 2)], { type: "application/json" });

/** The question as the API takes it. */
const asked = () => {
  const now = question.peek();
  return now ? { ...now.subject, wishes: now.wishes } : {};
};

export function Documents({ answer, application }: { answer: Answer; application: Application }) {
  const w = words.value.documents;
  const server = about.value;
  const download = (): void =>
    save("amends.json", json({ about: server, question: question.peek(), application, answer, reasons: reasons.peek()?.reasons ?? null }));
  return (
    <>
      <h2>{w.heading}</h2>
      <div class="grid">
        {server?.letters && !answer.accepted && <Letter />}
        {server?.receipts && !answer.accepted && <Receipt hasPlan={answer.plans.length > 0} />}
        <section class="card">
          <h3>{w.json}</h3>
          <p>{w.jsonIntro}</p>
          <div class="plan-tools">
            <button type="button" onClick={download}>{w.downloadJson}</button>
            <button type="button" onClick={() => print()}>{w.print}</button>
          </div>
        </section>
      </div>
    </>
  );
}

/** Something that is being fetched to be saved. */
function useDownload() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [done, setDone] = useState("");
  const run = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setError(null);
    setDone("");
    try {
      setDone(await work());
    } catch (reason) {
      setError(asApiError(reason));
    }
    setBusy(false);
  };
  return { busy, error, done, run };
}

const ENDINGS: Readonly<Record<string, string>> = { html: "html", text: "txt", markdown: "md" };

function Letter() {
  const w = words.value.documents;
  const server = about.value;
  const formats = server?.letter_formats ?? ["html"];
  const [code, setCode] = useState<string>(language.value);
  const [format, setFormat] = useState(formats[0] ?? "html");
  const [cells, setCells] = useState<Record<string, string>>({});
  const { busy, error, done, run } = useDownload();
  const fetchLetter = async (): Promise<string> => {
    const recipient = Object.fromEntries(Object.entries(cells).filter(([, text]) => text.trim() !== ""));
    const response = await send("/letter", { ...asked(), language: code, format, recipient });
    save(`letter.${ENDINGS[format] ?? "txt"}`, await response.blob());
    return w.done;
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void run(fetchLetter);
  };
  return (
    <form class="card" onSubmit={submit}>
      <h3>{w.letter}</h3>
      <p>{w.letterIntro}</p>
      <label class="field"><span class="label">{w.language}</span>
        <select value={code} onChange={(event) => setCode(event.currentTarget.value)}>
          {LANGUAGES.map((one) => <option key={one.code} value={one.code} lang={one.code}>{one.name}</option>)}
        </select>
      </label>
      <label class="field"><span class="label">{w.format}</span>
        <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
          {formats.map((one) => <option key={one} value={one}>{w.formats[one] ?? one}</option>)}
        </select>
      </label>
      {(server?.letter_columns ?? []).length > 0 && (
        <fieldset>
          <legend>{w.recipient}</legend>
          {server?.letter_columns?.map((column) => (
            <label key={column} class="field"><span class="small">{column}</span>
              <input type="text" maxLength={500} value={cells[column] ?? ""} onInput={(event) => setCells({ ...cells, [column]: event.currentTarget.value })} />
            </label>
          ))}
        </fieldset>
      )}
      <button type="submit" class="primary" disabled={busy}>{w.download}</button>
      {error && <ErrorBox error={error} retry={() => void run(fetchLetter)} />}
      <p class="hint" role="status">{done}</p>
    </form>
  );
}

function Receipt({ hasPlan }: { hasPlan: boolean }) {
  const w = words.value.documents;
  const { busy, error, done, run } = useDownload();
  const fetchReceipt = async (): Promise<string> => {
    const signed = await request<SignedReceipt>("/receipt", asked());
    save("receipt.json", json(signed));
    const receipt = JSON.parse(signed.receipt) as { number: string; valid_until: string };
    return w.receiptDone(receipt.number, dateTime(new Date(receipt.valid_until)));
  };
  return (
    <section class="card">
      <h3>{w.receipt}</h3>
      <p>{hasPlan ? w.receiptIntro(number(about.value?.receipt_days ?? 0)) : w.needsPlan}</p>
      <button type="button" class="primary" disabled={busy || !hasPlan} onClick={() => void run(fetchReceipt)}>{w.downloadReceipt}</button>
      {error && <ErrorBox error={error} retry={() => void run(fetchReceipt)} />}
      <p class="hint receipt-number" role="status">{done}</p>
    </section>
  );
}
