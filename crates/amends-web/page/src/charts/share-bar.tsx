// A share as a bar from 0 to 100 %, with its 95 % interval as a line. The numbers stand beside it as text.
import type { Share } from "../api/audits";

const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;

export function ShareBar({ share, kind = "" }: { share: Share; kind?: string }) {
  if (share.share === null) return null;
  const at = (value: number): string => `${100 * value}%`;
  return (
    <svg class={`share-bar ${kind}`} width="100%" height={HEIGHT} aria-hidden="true">
      <rect class="track" width="100%" y="3" height={HEIGHT - 6} rx="2" />
      <rect class="value" width={at(share.share)} y="3" height={HEIGHT - 6} rx="2" />
      <line class="interval" x1={at(share.low)} x2={at(share.high)} y1={MIDDLE} y2={MIDDLE} />
      <line class="interval" x1={at(share.low)} x2={at(share.low)} y1="2" y2={HEIGHT - 2} />
      <line class="interval" x1={at(share.high)} x2={at(share.high)} y1="2" y2={HEIGHT - 2} />
    </svg>
  );
}
