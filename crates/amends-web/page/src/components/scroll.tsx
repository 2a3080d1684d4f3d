// A table that may be wider than the page: it scrolls by itself, by keyboard too, and says so where it does.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../i18n";

export function Scroll({ label, class: name = "", children }: { label: string; class?: string; children: ComponentChildren }) {
  const region = useRef<HTMLDivElement>(null);
  const [isWider, setIsWider] = useState(false);
  useEffect(() => {
    const element = region.current;
    if (!element) return undefined;
    const look = (): void => setIsWider(element.scrollWidth > element.clientWidth + 1);
    const watch = new ResizeObserver(look);
    watch.observe(element);
    if (element.firstElementChild) watch.observe(element.firstElementChild);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      {isWider && <p class="hint scroll-hint no-print" aria-hidden="true">↔ {words.value.scroll}</p>}
      <div ref={region} class={`scroll ${name}`} tabIndex={0} role="region" aria-label={label}>{children}</div>
    </>
  );
}
