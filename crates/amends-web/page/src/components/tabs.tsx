// Tabs as the ARIA practices have them: arrow keys move, only the chosen one is in the order of the tab key.
import type { ComponentChildren } from "preact";

interface Props<Key extends string> {
  label: string;
  tabs: readonly { key: Key; text: string }[];
  chosen: Key;
  choose: (key: Key) => void;
  children: ComponentChildren;
}

export function Tabs<Key extends string>({ label, tabs, chosen, choose, children }: Props<Key>) {
  const turn = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const at = tabs.findIndex((tab) => tab.key === chosen);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = target === undefined ? undefined : tabs[(target + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    choose(next.key);
    document.getElementById(`tab-${next.key}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={turn}>
        {tabs.map(({ key, text }) => (
          <button key={key} type="button" role="tab" id={`tab-${key}`} aria-selected={key === chosen} aria-controls="tab-panel" tabIndex={key === chosen ? 0 : -1} onClick={() => choose(key)}>
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`} tabIndex={-1}>{children}</div>
    </div>
  );
}
