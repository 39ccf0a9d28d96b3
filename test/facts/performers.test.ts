import { describe, expect, it } from 'vitest';
import { normalizeEvent } from '../../src/facts/index.ts';
import { eventListing } from '../../src/providers/listing.ts';

const CITY = { timezone: 'America/New_York', name: 'New York', locale: 'en-US' };

function performersOf(said: Parameters<typeof eventListing>[0]): readonly string[] {
  const listing = eventListing({ externalId: '1', title: '', start: '2031-05-02T20:00', category: 'concert', ...said });
  const read = normalizeEvent({ ...listing, venue: { ...listing.venue, name: 'Old Mill' } }, { city: CITY, sourceName: 'Atlas' });
  if (!read.ok) throw new Error(read.reason);
  return read.event.performers;
}

describe('performers', () => {
  it('are those of the provider, whatever the title says', () => {
    expect(performersOf({ title: 'Marrow / Salt', performers: ['Ida Lark'] })).toEqual(['Ida Lark']);
  });

  it('have no mark of a status', () => {
    const performers = ['Ida Lark ~ CANCELED ~', 'Rico Salt (abgesagt)', 'ANNULÉ', 'Sold Out Crowd'];
    expect(performersOf({ title: 'Marrow', performers })).toEqual(['Ida Lark', 'Rico Salt', 'Sold Out Crowd']);
    expect(performersOf({ title: 'Marrow ~ CANCELED ~' })).toEqual(['Marrow']);
    expect(performersOf({ title: 'Marrow / Salt // ABGESAGT' })).toEqual(['Marrow', 'Salt']);
    const description = 'Line-up: Marrow, Salt (CANCELLED), Pine';
    expect(performersOf({ title: 'Marrow', description })).toEqual(['Marrow', 'Salt', 'Pine']);
  });

  it('are read from the title of a concert and from a list in its description', () => {
    expect(performersOf({ title: 'Marrow' })).toEqual(['Marrow']);
    expect(performersOf({ title: 'Marrow / Salt w/ Pine' })).toEqual(['Marrow', 'Salt', 'Pine']);
    expect(performersOf({ title: 'Marrow', description: 'Line-up: Marrow, Salt, Pine' })).toEqual(['Marrow', 'Salt', 'Pine']);
  });

  it('are several names in the title of a night or of a comedy show, and not the title itself', () => {
    expect(performersOf({ title: 'Copper Room', category: 'nightlife' })).toEqual([]);
    expect(performersOf({ title: 'Copper Room: Marrow, Salt, Pine', category: 'nightlife' })).toEqual(['Marrow', 'Salt', 'Pine']);
    expect(performersOf({ title: 'Next Stop Comedy Showcase', category: 'comedy' })).toEqual([]);
  });

  it('are nobody where the title names an occasion or a place, or is a play', () => {
    expect(performersOf({ title: 'Salt Jazz Festival' })).toEqual([]);
    expect(performersOf({ title: 'Salt Jazz Orchestra' })).toEqual(['Salt Jazz Orchestra']);
    expect(performersOf({ title: 'Piano in Copper Park' })).toEqual([]);
    expect(performersOf({ title: 'Romeo, Juliet, and Salt', category: 'theater' })).toEqual([]);
  });
});
