// An error in words, what to do about it, and the button that tries again.
import type { ApiError } from "../api/client";
import { words } from "../i18n";
import { errorDetails, errorText } from "../text/errors";
import { ServerTexts } from "./server-texts";

export function ErrorBox({ error, retry, more }: { error: ApiError; retry?: (() => void) | undefined; more?: string | undefined }) {
  const w = words.value;
  const details = errorDetails(error);
  return (
    <div class="notice bad" role="alert">
      <p><strong>{w.errors.heading}.</strong> {errorText(error)}</p>
      <ServerTexts texts={details} />
      {more && <p>{more}</p>}
      {retry && <p><button type="button" onClick={retry}>{w.tryAgain}</button></p>}
    </div>
  );
}
