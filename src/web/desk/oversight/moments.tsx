import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';
import type { FormattedMoment } from '../../model/desk.ts';
import { formatMoment } from '../../model/format.ts';

/** How far away, with the moment itself in UTC beside it. */
export function TimeAway({ at, none = 'never' }: { at: FormattedMoment | null; none?: string }) {
  if (!at) return <span className="quiet">{none}</span>;
  return (
    <time dateTime={at.iso} title={formatMoment(new Date(at.iso), 'whole', null).utc}>
      {at.away}
    </time>
  );
}

/** When somebody did something, on the reader's clocks. */
export function TimeText({ at }: { at: FormattedMoment }) {
  return <Moment at={new Date(at.iso)} />;
}

/** The notice after an action, by its code in the address; an unknown code shows nothing. */
export function ActionNotice({ code, table }: { code: string | null; table: Readonly<Record<string, string>> }) {
  if (!code || !Object.hasOwn(table, code)) return null;
  return <Notice kind="good">{table[code]}</Notice>;
}

/** Somebody else's words, which may be written from right to left. */
export function Words({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}
