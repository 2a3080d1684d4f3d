// The price of a wish, beside it.
import type { WishItem } from "../state/wishes";
import { isNamed } from "../state/wishes";
import { prices, pricesState } from "../state/prices";
import { current, isFresh } from "../state/solve";
import { words } from "../i18n";
import { priceText } from "../text/wishes";

export function WishPrice({ item }: { item: WishItem }) {
  const known = prices.value;
  if (!known || !isFresh.value || known.key !== current.value?.key) {
    return pricesState.value === "loading" ? <span class="hint">{words.value.prices.loading}</span> : null;
  }
  const price = known.prices.prices.find((one) => isNamed(item, one.wish));
  return price ? <span class="hint price">{priceText(price, known.prices)}</span> : null;
}
