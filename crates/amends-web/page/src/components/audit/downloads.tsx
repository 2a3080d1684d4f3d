// An audit as files.
import { useState } from "preact/hooks";
import { FORMATS, type Format } from "../../api/audits";
import { type ApiError, asApiError, send } from "../../api/client";
import { save } from "../../api/save";
import { words } from "../../i18n";
import { ErrorBox } from "../error-box";

export function Downloads({ id }: { id: string }) {
  const w = words.value.audit.download;
  const [failed, setFailed] = useState<{ error: ApiError; format: Format } | null>(null);
  const [busy, setBusy] = useState(false);
  const fetchFile = async (format: Format): Promise<void> => {
    setBusy(true);
    setFailed(null);
    try {
      const response = await send(`/audits/${encodeURIComponent(id)}/download?format=${format}`);
      save(format.startsWith("rows") ? format : `audit.${format}`, await response.blob());
    } catch (error) {
      setFailed({ error: asApiError(error), format });
    }
    setBusy(false);
  };
  return (
    <section class="card no-print" aria-labelledby="downloads">
      <h2 id="downloads">{w.heading}</h2>
      {w.english && <p class="hint">{w.english}</p>}
      <div class="plan-tools">
        {FORMATS.map((format) => <button key={format} type="button" disabled={busy} onClick={() => void fetchFile(format)}>{w.formats[format]}</button>)}
      </div>
      {failed && <ErrorBox error={failed.error} retry={() => void fetchFile(failed.format)} />}
    </section>
  );
}
