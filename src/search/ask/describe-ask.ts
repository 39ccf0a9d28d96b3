/** What was understood, part by part, as callers are told. */

import { type CityTime, createCityTime } from '../../city/index.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import type { AskPart, EventAsk } from './ask-query.ts';
import type { AskedPart } from './parts.ts';
import type { Understood } from './reading.ts';
import { type Token, withoutSpan } from './tokens.ts';
import { timeParameters } from './windows.ts';

export function createDescriber(data: SnapshotData): (ask: EventAsk, understood: Understood) => AskPart[] {
  const city = createCityTime(data.city.timezone);

  const describePart = (ask: EventAsk, understood: Understood, part: CountedPart): AskPart => {
    const { tokens, times, units, readAs } = understood;
    const place = units.findIndex(({ at }) => at === part.at);
    const unit = units[place];
    const span = spanOf(ask.text, tokens, part.at, unit?.length ?? part.length);
    const facts = factsOf(part, data, unit?.words.join(' ') ?? '', readAs.get(place));
    const timed = part.kind === 'time' ? describeTime(part, times.get(part) ?? null, ask.now, city) : {};
    const overriddenBy = part.kind === 'word' ? null : (ask.given[part.kind] ?? null);
    return { ...facts, ...span, ...timed, overriddenBy };
  };

  return (ask, understood) =>
    understood.parts.filter((part) => isCounted(part, understood)).map((part) => describePart(ask, understood, part));
}

/** Connecting words are no parts, and two words that are read as one are one part. */
export function isCounted(part: AskedPart, { units }: Understood): part is CountedPart {
  return part.kind !== 'noise' && (part.kind !== 'word' || units.some(({ at }) => at === part.at));
}

type CountedPart = Exclude<AskedPart, { kind: 'noise' }>;

function describeTime(
  part: Extract<AskedPart, { kind: 'time' }>,
  time: Extract<AskedPart, { kind: 'time' }>['time'] | null,
  now: number,
  city: CityTime,
): Partial<AskPart> {
  if (time === null) return { kind: 'ignored', means: `${part.time.means}, on no single day`, parameters: null };
  return { means: time.means, parameters: timeParameters(time, now, city) };
}

function factsOf(
  part: CountedPart,
  data: SnapshotData,
  typed: string,
  typo: string | undefined,
): Pick<AskPart, 'kind' | 'means' | 'parameters'> {
  if (part.kind === 'time') return { kind: 'time', means: part.time.means, parameters: null };
  if (part.kind === 'category') return { kind: 'category', means: part.category, parameters: { category: part.category } };
  if (part.kind === 'price') {
    const { max } = part.price;
    if (max === undefined) return { kind: 'price', means: 'free', parameters: { free: 'true' } };
    return { kind: 'price', means: `at most ${max} ${data.city.currency}`, parameters: { price_max: String(max) } };
  }
  if (part.kind === 'word') return { kind: typo === undefined ? 'word' : 'typo', means: typo ?? typed, parameters: null };
  const { kind, means, areas, slots } = part.place;
  const [area] = areas;
  const isOneArea = areas.length === 1 && slots.length === 0 && area !== undefined;
  return { kind, means, parameters: isOneArea ? { neighborhood: data.neighborhoodSlugs[area]! } : null };
}

/** Code points. */
function spanOf(
  text: string,
  tokens: readonly Token[],
  at: number,
  length: number,
): Pick<AskPart, 'text' | 'from' | 'to' | 'without'> {
  const from = tokens[at]!.from;
  const to = tokens[at + length - 1]!.to;
  const [before, typed] = [text.slice(0, from), text.slice(from, to)];
  const start = Array.from(before).length;
  return { text: typed, from: start, to: start + Array.from(typed).length, without: withoutSpan(text, from, to) };
}
