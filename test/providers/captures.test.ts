import { describe, expect, it } from 'vitest';
import { CAPTURES, captureFigures, compareFriends } from '../../quality/captures.ts';

describe.skipIf(CAPTURES.missing)('recorded answers of APIs', () => {
  it('give all of their events and dates, and each difference is explained', async () => {
    const figures = await captureFigures();
    expect(figures.length).toBeGreaterThan(10);
    const [sum, ...each] = figures;
    const odd = each.filter(({ value, note }) => {
      const [found, wanted] = value.split(' of ');
      return (found === wanted) !== (note === undefined) || note?.includes('not explained');
    });
    expect(odd).toEqual([]);
    expect(sum?.value).toMatch(/^\d{4,5} of \d{4,5}$/);
  });

  it('agree with what another reader expects, but for three fields', async () => {
    const fields = await compareFriends();
    expect(fields).toHaveLength(20);
    const different = new Set(fields.filter(({ holds }) => !holds).map(({ where }) => where));
    expect([...different]).toEqual(['Event Start Time', 'Event End Time', 'Event Venue Name']);
  });
});
