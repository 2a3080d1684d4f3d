// Asks for the server's token where the address had none, or a wrong one.
import { useState } from "preact/hooks";
import { words } from "../i18n";
import { loadServer, serverError } from "../state/server";
import { retryApplicant } from "../state/solve";
import { setToken, token } from "../state/token";

export function TokenForm() {
  const w = words.value.errors;
  const [text, setText] = useState("");
  const send = (event: Event): void => {
    event.preventDefault();
    setToken(text.trim());
    // What the address asks for was refused, too.
    void loadServer().then(() => serverError.peek() === null && retryApplicant());
  };
  return (
    <section class="card narrow">
      <h1>{w.token}</h1>
      {token.value && <p class="notice bad" role="alert">{w.tokenWrong}</p>}
      <form onSubmit={send}>
        <label class="field">
          <span class="label">{w.tokenLabel}</span>
          <input type="password" required autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} aria-describedby="token-help" />
        </label>
        <p id="token-help" class="hint">{w.tokenHelp}</p>
        <button type="submit" class="primary">{w.tokenSend}</button>
      </form>
    </section>
  );
}
