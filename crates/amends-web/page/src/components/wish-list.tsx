// The active wishes, each with its price and a button that drops it.
import { words } from "../i18n";
import { pricesState, retryPrices } from "../state/prices";
import { wishes } from "../state/question";
import { dropWish, items, resetAll } from "../state/wishes";
import { wishText } from "../text/wishes";
import { focusOn } from "./focus";
import { WishPrice } from "./wish-price";

export function WishList() {
  const w = words.value;
  const all = wishes.value;
  const list = items(all);
  return (
    <section class="wish-list" aria-labelledby="active-wishes">
      <div class="heading-line">
        <h3 id="active-wishes" tabIndex={-1}>{w.wishes.active}</h3>
        {list.length > 0 && <button type="button" onClick={() => { resetAll(); focusOn("active-wishes"); }}>{w.wishes.resetAll}</button>}
      </div>
      {list.length === 0 && <p class="hint">{w.wishes.noneActive}</p>}
      <ul>
        {list.map((item) => (
          <li key={JSON.stringify(item)}>
            <div><strong>{wishText(item, all)}</strong> <WishPrice item={item} /></div>
            <button type="button" onClick={() => { dropWish(item); focusOn("active-wishes"); }} aria-label={w.wishes.dropWish(wishText(item, all))}>{w.wishes.drop}</button>
          </li>
        ))}
      </ul>
      {pricesState.value === "failed" && <p class="problem" role="alert">{w.prices.failed} <button type="button" onClick={retryPrices}>{w.tryAgain}</button></p>}
    </section>
  );
}
