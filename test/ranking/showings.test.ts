import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SHOWINGS, type Showing, showings } from '../../src/ranking/index.ts';

const showing = fc.record({
  id: fc.uuid(),
  run: fc.constantFrom('jazz', 'hamlet'),
  venueId: fc.constantFrom('a', 'b', 'c'),
  sources: fc.uniqueArray(fc.constantFrom('one', 'two', 'three'), { maxLength: 2 }),
  startsAt: fc.nat(10),
});
const listed = fc.uniqueArray(showing, { selector: ({ id }) => id, maxLength: 30 });

/** Counts them one by one. */
function slowly(events: readonly Showing[]): Map<string, number> {
  const place = ({ startsAt, venueId, id }: Showing) => `${String(startsAt).padStart(2, '0')} ${venueId} ${id}`;
  const comesBefore = (a: Showing, b: Showing) => place(a) < place(b);
  const isSame = (a: Showing, b: Showing) =>
    a.run === b.run && (a.venueId === b.venueId || a.sources.some((name) => b.sources.includes(name)));
  return new Map(
    events.map((event) => [event.id, 1 + events.filter((one) => isSame(one, event) && comesBefore(one, event)).length]),
  );
}

describe('the number of a showing', () => {
  it('counts the earlier events of its run that share its venue or a provider, in whatever order they are given', () => {
    fc.assert(
      fc.property(listed, (events) => {
        const expected = [...slowly(events)].sort();
        expect([...showings(events)].sort()).toEqual(expected);
        expect([...showings(events.toReversed())].sort()).toEqual(expected);
      }),
    );
  });

  it('is at most a bound, and forty nights of one provider under forty venues are forty showings', () => {
    const nights = (count: number) =>
      Array.from({ length: count }, (_, night) => ({
        ...{ id: `${1000 + night}`, run: 'boat party', venueId: `pier ${night}`, sources: ['boats'], startsAt: night },
      }));
    expect([...showings(nights(40)).values()]).toEqual(Array.from({ length: 40 }, (_, night) => night + 1));
    expect(Math.max(...showings(nights(500)).values())).toBe(MAX_SHOWINGS);
  });

  it('is not moved by what strangers list elsewhere under the same title', () => {
    const own = { id: 'b', run: 'open mic', venueId: 'cellar', sources: ['cellar'], startsAt: 9 };
    const theirs = { id: 'a', run: 'open mic', venueId: 'loft', sources: ['loft'], startsAt: 1 };
    expect(showings([theirs, own]).get('b')).toBe(1);
  });
});
