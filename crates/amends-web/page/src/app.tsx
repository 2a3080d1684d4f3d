// The frame around every view: header, content, footer, and what a screen reader hears.
import { useEffect, useRef } from "preact/hooks";
import { ErrorBox } from "./components/error-box";
import { Footer } from "./components/footer";
import { Header } from "./components/header";
import { Spinner } from "./components/spinner";
import { TokenForm } from "./components/token-form";
import { words } from "./i18n";
import { address } from "./state/address";
import { announcement } from "./state/announce";
import { about, loadServer, schema, serverError } from "./state/server";
import { viewOf } from "./views/registry";

export function App() {
  const main = useRef<HTMLElement>(null);
  const path = address.value.path.join("/");
  const first = useRef(true);
  // A new view starts at its top, and its heading is where the keyboard and the screen reader are.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>
        {words.value.skip}
      </a>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        <Content />
      </main>
      <Footer />
      <div class="visually-hidden" role="status" aria-live="polite">{announcement.value}</div>
    </>
  );
}

function Content() {
  const error = serverError.value;
  if (error?.status === 401) return <TokenForm />;
  if (error) return <ErrorBox error={error} retry={() => void loadServer()} />;
  if (!about.value || !schema.value) return <Spinner text={words.value.loading} />;
  const View = viewOf(address.value.path);
  return <View />;
}
