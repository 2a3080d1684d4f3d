// An error in words, what to do about it, and the button that tries again.
import type { ApiError } from "../api/client";
import { words } from "../i18n";
import { errorDetails, errorText } from "../text/errors";

export function ErrorBox({ error, retry }: { error: ApiError; retry?: (() => void) | undefined }) {
  const w = words.value;
  const details = errorDetails(error);
  return (
    <div class="notice bad" role="alert">
      <p><strong>{w.errors.heading}.</strong> {errorText(error)}</p>
      {details.length > 0 && <ul lang="en">{details.map((detail) => <li key={detail}>{detail}</li>)}</ul>}
      {retry && <p><button type="button" onClick={retry}>{w.tryAgain}</button></p>}
    </div>
  );
}
