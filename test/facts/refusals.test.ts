import { describe, expect, it } from 'vitest';
import { normal } from './listing.ts';

const kept = (said: Parameters<typeof normal>[0]) => typeof normal(said) === 'object';

describe('a listing that is no event', () => {
  it.each<[string, string]>([
    ['', 'title: no_title'],
    ['TBA', 'title: no_title'],
    ['Parking: Owls v. Hawks', 'title: ticket_package'],
    ['VIP Bowling Lane Add On - The Kestrels - Not a Concert Ticket', 'title: ticket_package'],
    ['2026 Season Tickets', 'title: ticket_package'],
    ['Gift Card', 'title: ticket_package'],
    ['15 Awesome Things to Do on Thanksgiving', 'title: not_an_event'],
    ['The Ultimate Guide to Farmers Markets', 'title: not_an_event'],
    ['Cedar Hill Winter Closure', 'title: not_an_event'],
    ['No Afternoon Session Today', 'title: not_an_event'],
    ['Mobile COVID-19 Testing Site', 'title: not_an_event'],
    ['Museum of Clocks General Admission', 'title: not_an_event'],
    ['Miscellaneous', 'title: private'],
    ['Picnic', 'title: private'],
    ["Deb's Birthday Party", 'title: private'],
    ['Ward Family Reunion', 'title: private'],
    ['Porter-Dorr Wedding', 'title: private'],
    ['PS 12 4th Grade Picnic', 'title: private'],
    ['5th Grade Field Day', 'title: private'],
    ['Private Event', 'title: private'],
    ['CANCELED: Birthday Party', 'title: private'],
  ])('%j is refused: %s', (title, refusal) => {
    expect(normal({ title })).toBe(refusal);
  });

  it.each([
    ['Standard Lottery - Romeo & Juliet', 'Romeo & Juliet'],
    ['Senior 65+ Lottery - Public Forum', 'Public Forum'],
    ['ADA Accessible Lottery - Public Forum', 'Public Forum'],
    ['Hamlet (Digital Lottery)', 'Hamlet'],
    ['Owls v. Hawks * Premium Seating *', 'Owls v. Hawks'],
    ['Pinstripe Pass * Owls v. Hawks', 'Owls v. Hawks'],
    ['VIP Package: The Kestrels', 'The Kestrels'],
    ['The Kestrels - Meet & Greet Upgrade', 'The Kestrels'],
  ])('%j is a listing of its event: %s', (title, event) => {
    expect(normal({ title })).toMatchObject({ title: event, ticket: 'part' });
  });

  it('for several days keeps its event, and says so', () => {
    expect(normal({ title: 'The Kestrels - 2 Day Pass' })).toMatchObject({ title: 'The Kestrels', ticket: 'pass' });
    expect(normal({ title: 'The Kestrels - General Admission' })).not.toHaveProperty('ticket');
  });

  it.each<[string]>([
    ['The Lottery'],
    ['No Sleep Tonight: Marrow'],
    ['No Place Like Home'],
    ['Lottery Winners'],
    ['Private Lives'],
    ['A Very Strange Birthday Party'],
    ['Juneteenth BBQ'],
    ["Movies Under the Stars: Muriel's Wedding"],
    ['Parking Lot Party'],
    ['Prek Bubbling Potions'],
    ['Things Fall Apart'],
    ['Closing Night'],
    ['The Field Guide'],
  ])('is not %j', (title) => {
    expect(kept({ title })).toBe(true);
  });

  it('is not one that invites: with a price, performers or a description a party is for everybody', () => {
    const title = "Deb's Birthday Party";
    expect(kept({ title, priceMin: 10 })).toBe(true);
    expect(kept({ title, isFree: false })).toBe(true);
    expect(kept({ title, performers: ['The Kestrels'] })).toBe(true);
    expect(
      kept({
        title,
        description: 'Come and dance with us all night long: three bands, two floors and a cake for everybody who comes.',
      }),
    ).toBe(true);
  });

  it('is told by the provider’s own words', () => {
    expect(normal({ categoryWords: ['Sport - Youth'] })).toBe('category: private');
    expect(normal({ categoryWords: ['Production Event'] })).toBe('category: not_an_event');
    expect(normal({ status: 'draft' })).toBe('status: not_published');
  });

  it('has a title and a venue in which no character was lost', () => {
    expect(normal({ title: 'F\ufffdhrung f\ufffdr alle' })).toBe('title: garbled');
    expect(normal({ title: 'F&#65533;hrung' })).toBe('title: garbled');
    expect(normal({ venue: { name: 'Caf\ufffd Zo\ufffd' } })).toBe('venue.name: garbled');
    expect(kept({ description: 'Caf\ufffd' })).toBe(true);
  });

  it('has an id that the next run will know, as the provider wrote it', () => {
    expect(normal({ externalId: null })).toBe('externalId: no_id');
    expect(normal({ externalId: 'x'.repeat(501) })).toBe('externalId: no_id');
    expect(normal({ externalId: ' a&amp;b\u0007 ' })).toMatchObject({ externalId: 'a&amp;b' });
  });
});
