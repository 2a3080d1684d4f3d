// There is no plan: the fewest wishes and rules that would have to give way, each a button where it is the applicant's own.
import { useState } from "preact/hooks";
import type { Answer, Drop, Way, Wishes } from "../api/types";
import { number, words } from "../i18n";
import { prices } from "../state/prices";
import { type OwnWay, useOwnWay } from "../state/own-way";
import { subject } from "../state/question";
import { about } from "../state/server";
import { current } from "../state/solve";
import { type WishItem, drop, dropAll, dropWish, isEmpty, isNamed, items, resetAll } from "../state/wishes";
import { noPlanStatus, planSentence } from "../text/plan";
import { focusOn } from "./focus";
import { isLenders, lenderRuleText, wishText } from "../text/wishes";

const SHOWN = 3;

export function NoPlan({ answer, wishes }: { answer: Answer; wishes: Wishes }) {
  const w = words.value.none;
  const [all, setAll] = useState(false);
  const why = answer.why_none;
  const most = about.value?.max_changes ?? 0;
  const owns = (way: Way): number => way.drops.filter((one) => isLenders(one, most)).length;
  const ways = [...(why?.ways ?? [])].sort((one, other) => owns(one) - owns(other) || (one.objective ?? 0) - (other.objective ?? 0));
  const shown = all ? ways : ways.slice(0, SHOWN);
  return (
    <>
      <p class="proof infeasible">{noPlanStatus(answer)}</p>
      {why?.settled && !ways.some((way) => owns(way) === 0) && !isEmpty(wishes) && <OwnWays wishes={wishes} />}
      {why && !why.settled && <p>{w.unsettled}</p>}
      {why?.settled && ways.length === 0 && <p>{w.noWay}</p>}
      {shown.length > 0 && <p>{w.intro}</p>}
      <ol class="ways">{shown.map((way, index) => <WayItem key={index} way={way} index={index} wishes={wishes} most={most} />)}</ol>
      <div class="plan-tools no-print">
        {ways.length > shown.length && <button type="button" onClick={() => setAll(true)}>{w.more(ways.length - shown.length)}</button>}
        {!isEmpty(wishes) && <button type="button" onClick={() => { resetAll(); focusOn("result"); }}>{words.value.wishes.resetAll}</button>}
      </div>
    </>
  );
}

/** Where every small way also needs the lender: a wish that is enough alone, as the prices found, or several together. */
function OwnWays({ wishes }: { wishes: Wishes }) {
  const w = words.value.none;
  const known = prices.value?.key === current.value?.key ? prices.value?.prices.prices : undefined;
  const enough = items(wishes).filter((item) => known?.some((price) => price.objective !== null && isNamed(item, price.wish)));
  const way = useOwnWay(subject.value, wishes, known !== undefined && enough.length === 0);
  if (way) return <SeveralDrops way={way} wishes={wishes} />;
  if (!enough.length) return null;
  return (
    <>
      <p>{w.single}</p>
      <ul class="drops">
        {enough.map((item) => <li key={JSON.stringify(item)}><button type="button" onClick={() => { dropWish(item); focusOn("result"); }}>{w.drop(wishText(item, wishes))}</button></li>)}
      </ul>
    </>
  );
}

/** Several wishes that are enough together. */
function SeveralDrops({ way, wishes }: { way: OwnWay; wishes: Wishes }) {
  const w = words.value.none;
  return (
    <>
      <p>{w.own}</p>
      <ul class="drops">
        {way.drops.map((item) => <li key={JSON.stringify(item)}><button type="button" onClick={() => { dropWish(item); focusOn("result"); }}>{w.drop(wishText(item, wishes))}</button></li>)}
      </ul>
      <p class="hint">{planSentence(way.changes)}</p>
      <p><button type="button" class="primary" onClick={() => { dropAll(way.drops); focusOn("result"); }}>{w.all}</button></p>
    </>
  );
}

function WayItem({ way, index, wishes, most }: { way: Way; index: number; wishes: Wishes; most: number }) {
  const w = words.value.none;
  const lenders = way.drops.some((one) => isLenders(one, most));
  return (
    <li>
      <h3>{w.way(index + 1)}</h3>
      <ul class="drops">{way.drops.map((one) => <li key={JSON.stringify(one)}><DropItem drop={one} wishes={wishes} most={most} /></li>)}</ul>
      {way.changes.length > 0 && <p class="hint">{planSentence(way.changes)}</p>}
      {lenders ? <p class="hint">{w.lenderIntro}</p> : way.drops.length > 1 && <button type="button" class="primary" onClick={() => { drop(way.drops); focusOn("result"); }}>{w.all}</button>}
    </li>
  );
}

function DropItem({ drop: one, wishes, most }: { drop: Drop; wishes: Wishes; most: number }) {
  const w = words.value.none;
  if ("schema" in one) return <span><b>{w.lender}:</b> {lenderRuleText(one.schema)}</span>;
  if ("max_changes" in one && one.max_changes > most) return <span><b>{w.lender}:</b> {w.tooMany(one.max_changes, most)}</span>;
  const item: WishItem | null = "wish" in one ? one.wish : "rule" in one ? { rule: one.rule, index: -1 } : null;
  const text = item ? w.drop(wishText(item, wishes)) : "max_changes" in one ? w.allow(one.max_changes) : "";
  return <button type="button" onClick={() => { drop([one]); focusOn("result"); }}>{text || number(0)}</button>;
}
