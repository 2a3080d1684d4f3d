// The trade-off as a curve whose points are a group of radio buttons: mouse, arrow keys and screen readers choose among them.
import { useRef } from "preact/hooks";
import type { Plan } from "../api/types";
import { figure, words } from "../i18n";

const HEIGHT = 260;
const PAD = 12;

interface Props {
  plans: readonly Plan[];
  chosen: number;
  choose: (index: number) => void;
}

export function TradeoffCurve({ plans, chosen, choose }: Props) {
  const w = words.value.tradeoff;
  const group = useRef<SVGGElement>(null);
  const scale = (values: number[], low: number, high: number) => {
    const least = Math.min(...values);
    const span = Math.max(...values) - least || 1;
    return (value: number): number => low + ((value - least) / span) * (high - low);
  };
  const x = scale(plans.map((plan) => plan.distance), 8, 92);
  const y = scale(plans.map((plan) => plan.outlier), HEIGHT - 34 - PAD, PAD + 14);
  // Where points are close together, their targets overlap. Clicks of screen readers have no place.
  const nearest = (event: MouseEvent): number => {
    const away = [...(group.current?.querySelectorAll(".dot") ?? [])].map((dot) => {
      const box = dot.getBoundingClientRect();
      return Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
    });
    return away.indexOf(Math.min(...away));
  };
  const turn = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (chosen + step + plans.length) % plans.length;
    choose(next);
    group.current?.querySelectorAll<SVGGElement>("[role=radio]")[next]?.focus();
  };
  return (
    <figure class="tradeoff">
      <svg width="100%" height={HEIGHT}>
        <line class="axis" x1="4%" x2="98%" y1={HEIGHT - 30} y2={HEIGHT - 30} />
        <line class="axis" x1="4%" x2="4%" y1="4" y2={HEIGHT - 30} />
        <text x="98%" y={HEIGHT - 10} text-anchor="end" aria-hidden="true">{w.x} →</text>
        <text x="5%" y="14" aria-hidden="true">↑ {w.y}</text>
        {plans.slice(1).map((plan, index) => {
          const before = plans[index] ?? plan;
          return <line key={index} class="curve" x1={`${x(before.distance)}%`} y1={y(before.outlier)} x2={`${x(plan.distance)}%`} y2={y(plan.outlier)} />;
        })}
        <g role="radiogroup" aria-label={w.heading} ref={group} onKeyDown={turn}>
          {plans.map((plan, index) => (
            <g
              key={index}
              role="radio"
              class="point"
              tabindex={index === chosen ? 0 : -1}
              aria-checked={index === chosen}
              aria-label={w.point(index + 1, plans.length, figure(plan.distance), figure(plan.outlier))}
              onClick={(event) => choose(event.detail === 0 ? index : nearest(event))}
            >
              <circle class="target" cx={`${x(plan.distance)}%`} cy={y(plan.outlier)} r="14" />
              <circle class="ring" cx={`${x(plan.distance)}%`} cy={y(plan.outlier)} r="11" />
              <circle class="dot" cx={`${x(plan.distance)}%`} cy={y(plan.outlier)} r={index === chosen ? 8 : 6} />
            </g>
          ))}
        </g>
      </svg>
    </figure>
  );
}
