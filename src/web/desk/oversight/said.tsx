import { Notice } from '../../design/notice.tsx';
import type { SaidMoment } from '../../server/desk/moments.ts';

/** How far away, with the moment itself on the city's clocks beside it. */
export function TimeAway({ at, none = 'never' }: { at: SaidMoment | null; none?: string }) {
  if (!at) return <span className="quiet">{none}</span>;
  return (
    <time dateTime={at.iso} title={at.text}>
      {at.away}
    </time>
  );
}

export function TimeText({ at }: { at: SaidMoment }) {
  return <time dateTime={at.iso}>{at.text}</time>;
}

/** What an action left to say, by its word in the address; other words say nothing. */
export function Said({ word, table }: { word: string | null; table: Readonly<Record<string, string>> }) {
  if (!word || !Object.hasOwn(table, word)) return null;
  return <Notice kind="good">{table[word]}</Notice>;
}

/** Somebody else's words, which may be written from right to left. */
export function Words({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}
