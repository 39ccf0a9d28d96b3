// One engine is enough: nothing here needs a database.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMinute, MINUTE_MS, type TimedDecision } from './check-minute.ts';

/** A limiter that is plainly right, asked over a network that takes its time. */
function decideAll(requests: readonly { gap: number; there: number; back: number }[], limit: number): TimedDecision[] {
  let sentAt = 0;
  const asked = requests.map(({ gap, there, back }) => {
    sentAt += gap;
    return { sentAt, decidedAt: sentAt + there, answeredAt: sentAt + there + back, isAdmitted: false };
  });
  const admittedAt: number[] = [];
  for (const each of asked.toSorted((left, right) => left.decidedAt - right.decidedAt)) {
    each.isAdmitted = admittedAt.filter((at) => at > each.decidedAt - MINUTE_MS).length < limit;
    if (each.isAdmitted) admittedAt.push(each.decidedAt);
  }
  return asked;
}

const anyDelay = fc.integer({ min: 0, max: 2_000 });
const anyRequests = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 20_000 }), there: anyDelay, back: anyDelay }), {
  minLength: 1,
  maxLength: 120,
});

describe('the checker of minutes', () => {
  it('finds nothing wrong with a right limiter, whatever the network', () => {
    fc.assert(
      fc.property(anyRequests, fc.integer({ min: 1, max: 12 }), (requests, limit) => {
        expect(checkMinute(decideAll(requests, limit), limit)).toEqual({ over: 0, under: 0 });
      }),
    );
  });

  it('finds one request too many in a minute', () => {
    const quick = Array.from({ length: 11 }, (_, index) => ({
      sentAt: index * 5_000,
      answeredAt: index * 5_000 + 3,
      isAdmitted: true,
    }));
    expect(checkMinute(quick, 11)).toEqual({ over: 0, under: 0 });
    expect(checkMinute(quick, 10)).toEqual({ over: 1, under: 0 });
  });

  it('finds a request that was refused although there was room', () => {
    const decisions = Array.from({ length: 10 }, (_, index) => ({ sentAt: index, answeredAt: index + 3, isAdmitted: true }));
    const refused = { sentAt: 30_000, answeredAt: 30_002, isAdmitted: false };
    expect(checkMinute([...decisions, refused], 10)).toEqual({ over: 0, under: 0 });
    expect(checkMinute([...decisions, refused], 11)).toEqual({ over: 0, under: 1 });
    const late = { sentAt: 61_000, answeredAt: 61_002, isAdmitted: false };
    expect(checkMinute([...decisions, late], 10)).toEqual({ over: 0, under: 1 });
  });
});
