/** A change of the log as JSON. */

import type { NumberedChange } from '../records/index.ts';
import type { LoggedChange } from '../search/index.ts';
import type { CityTime } from '../values/city-time.ts';
import { compareText } from '../values/compare-text.ts';
import { formatUtc } from '../values/utc.ts';

export interface FormatContext {
  city: CityTime;
  /** Without a trailing slash. */
  publicUrl: string;
}

/** `record` holds exactly the bytes of the detail endpoint. A record without one is a tombstone, whatever the change was. */
export function formatChange(change: LoggedChange, context: FormatContext): string {
  const { record } = change;
  const json = record.found === 'published' ? record.json : 'null';
  const survivor = record.found === 'merged' ? `,"mergedInto":${JSON.stringify(record.into)}` : '';
  return `${formatHead(change, change.kind, context)},"record":${json}${survivor}}`;
}

/** The record is none of those that were asked for any more. */
export function formatLeft(change: LoggedChange, context: FormatContext): string {
  return `${formatHead(change, 'removed', context)},"record":null,"reason":"filter"}`;
}

/** The names of the public fields that a change changed. */
export function changedFields({ previous = {} }: Pick<NumberedChange, 'previous'>): string[] {
  return Object.keys(previous)
    .flatMap((name) => (name === 'slug' ? ['slug', 'url'] : [name]))
    .sort();
}

function formatHead(change: LoggedChange, kind: string, context: FormatContext): string {
  const { seq, at, entity, entityId } = change;
  const head = JSON.stringify({
    sequence: seq,
    at: formatUtc(at),
    kind,
    entity,
    id: entityId,
    fields: changedFields(change),
    previous: formatPrevious(change, context),
  });
  return head.slice(0, -1);
}

/** Previous values as the API would have printed them. */
export function formatPrevious(
  { entity, previous = {} }: Pick<NumberedChange, 'entity' | 'previous'>,
  { city, publicUrl }: FormatContext,
): Record<string, unknown> {
  const entries = Object.entries(previous).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'slug')
      return [
        [name, value],
        ['url', `${publicUrl}/${entity}s/${String(value)}`],
      ];
    if (INSTANTS.has(name) && typeof value === 'string') return [[name, city.format(Date.parse(value))]];
    if (name === 'imageUrl' && typeof value === 'string' && value.startsWith('/')) return [[name, publicUrl + value]];
    return [[name, value]];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}

const INSTANTS: ReadonlySet<string> = new Set(['startDatetime', 'endDatetime']);
