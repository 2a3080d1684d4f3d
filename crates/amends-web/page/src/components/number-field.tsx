// A field for a number in the language of the page. The arrow keys go up and down by a step, as in a number field of the browser.
import type { JSX } from "preact";
import { isNumeric } from "../text/labels";
import { plainNumber } from "../text/numbers";
import type { Feature } from "../api/types";

interface Props extends Omit<JSX.IntrinsicElements["input"], "type" | "value" | "role" | "step" | "onKeyDown"> {
  feature: Feature;
  text: string;
  /** The number that the text stands for, where it is one. */
  number: number | null;
  /** The number after an arrow key. */
  step: (value: number) => void;
}

export function NumberField({ feature, text, number, step, ...rest }: Props) {
  const bounds = isNumeric(feature) ? feature.number : null;
  const turn = (event: KeyboardEvent): void => {
    const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (sign === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const by = bounds && bounds.step > 0 ? bounds.step : feature.kind === "integer" ? 1 : 10 ** -(bounds?.decimals ?? 0);
    // From an empty field, the numbers of the data begin at their least.
    const next = number === null ? (bounds?.least ?? 0) : number + sign * by;
    step(Number(next.toPrecision(12)));
  };
  return (
    <input
      {...rest}
      type="text"
      role="spinbutton"
      inputMode={feature.kind === "integer" && (bounds?.least ?? -1) >= 0 ? "numeric" : "decimal"}
      autocomplete="off"
      value={text}
      aria-valuenow={number ?? undefined}
      aria-valuetext={number === null ? undefined : plainNumber(number)}
      onKeyDown={turn}
    />
  );
}
