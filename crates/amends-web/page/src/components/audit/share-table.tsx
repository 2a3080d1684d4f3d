// Shares of people in a table, each with its interval and a bar.
import type { ComponentChildren } from "preact";
import type { Share } from "../../api/audits";
import { ShareBar } from "../../charts/share-bar";
import { number, words } from "../../i18n";
import { intervalText, shareText } from "../../text/audit";
import { Scroll } from "../scroll";

export interface ShareLine {
  key: string;
  name: ComponentChildren;
  share: Share;
  /** How deep it is below another line. */
  depth?: number;
  kind?: string;
  /** What stands in one more column. */
  more?: string;
}

interface Props {
  caption: string;
  counted: string;
  lines: readonly ShareLine[];
  /** The title of one more column. */
  more?: string;
}

export function ShareTable({ caption, counted, lines, more }: Props) {
  const w = words.value.audit;
  const table = (
    <table class={more ? "shares with-more" : "shares"}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col" class="number">{counted}</th>
          <th scope="col" class="number">{w.share}</th>
          <th scope="col" class="bar-cell"><span class="visually-hidden">{w.interval}</span><span aria-hidden="true">{w.bar}</span></th>
          {more && <th scope="col" class="number">{more}</th>}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ key, name, share, depth, kind, more: cell }) => (
          <tr key={key}>
            <th scope="row" class={depth ? "deeper" : ""}>{name}</th>
            <td class="number">{number(share.count)}</td>
            <td class="number">{shareText(share)}</td>
            <td class="bar-cell">
              <ShareBar share={share} kind={kind ?? ""} />
              {share.share !== null && <span class="small">{intervalText(share)}</span>}
            </td>
            {more && <td class="number">{cell}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!more) return table;
  return <Scroll label={w.table(caption)}>{table}</Scroll>;
}
