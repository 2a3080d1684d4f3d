import { LANGUAGES, language, setLanguage, words } from "../i18n";
import { address, href } from "../state/address";
import { currentTheme, switchTheme } from "../state/theme";
import { VIEWS } from "../views/registry";

export function Header() {
  const w = words.value;
  const here = address.value.path[0] ?? "";
  return (
    <header class="top">
      <div class="top-inner">
        <a class="brand" href={href([])}>
          <img src="/icon.svg" alt="" width="32" height="32" />
          <span>{w.title}</span>
        </a>
        <nav aria-label={w.nav.main}>
          {VIEWS.filter((view) => view.menu).map((view) => (
            <a key={view.path} href={href(view.path ? [view.path] : [])} aria-current={here === view.path ? "page" : undefined}>
              {view.menu?.(w)}
            </a>
          ))}
        </nav>
        <div class="top-tools">
          <label>
            <span class="visually-hidden">{w.language}</span>
            <select value={language.value} onChange={(event) => setLanguage(event.currentTarget.value === "de" ? "de" : "en")}>
              {LANGUAGES.map(({ code, name }) => <option key={code} value={code} lang={code}>{name}</option>)}
            </select>
          </label>
          <button type="button" class="icon" onClick={switchTheme} title={currentTheme() === "dark" ? w.theme.toLight : w.theme.toDark}>
            <span class="visually-hidden">{currentTheme() === "dark" ? w.theme.toLight : w.theme.toDark}</span>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><circle cx="10" cy="10" r="7" class="theme-ring" /><path d="M10 3a7 7 0 0 1 0 14z" class="theme-half" /></svg>
          </button>
        </div>
      </div>
    </header>
  );
}
