import { describe, expect, it } from 'vitest';
import type { NormalEvent } from '../../src/facts/index.ts';
import { normal } from './listing.ts';

const category = (said: Parameters<typeof normal>[0]) => {
  const { category: found, categoryConfidence, categoryReason } = normal(said) as NormalEvent;
  return { found, categoryConfidence, categoryReason };
};

describe('the category of an event', () => {
  it('is the provider’s own where it is one of ours', () => {
    expect(category({ title: 'Comedy Festival', category: 'food' })).toEqual({
      found: 'food',
      categoryConfidence: 0.95,
      categoryReason: "the provider's own category is food",
    });
    expect(category({ title: 'Comedy Hour', category: 'Humor' }).found).toBe('comedy');
  });

  it.each<[string[], string, string]>([
    [['Rock', 'Music'], 'The Kestrels', 'concert'],
    [['MusicEvent'], 'The Kestrels', 'concert'],
    [['nba', 'sports'], 'Owls at Hawks', 'sports'],
    [['Comedy', 'Arts & Theatre'], 'An Evening', 'comedy'],
    [['Arts & Theatre', 'Comedy'], 'An Evening', 'comedy'],
    [['broadway_tickets_national', 'theater'], 'Chess', 'theater'],
    [['theater'], 'Flower Show and Greenmarket', 'food'],
    [['family'], 'Tower Experience with Burlesque', 'theater'],
    [['Undefined'], 'Spring Jazz Trio', 'concert'],
    [['Music'], 'Harbor Jazz Festival', 'festival'],
    [['Music'], 'Cold Weather Kids', 'concert'],
    [['Sports'], 'Sunrise Hike', 'outdoor'],
    [['Best for Kids', 'Nature'], 'Owl Morning', 'family'],
    [['Farmers Market'], 'Corner Stand', 'food'],
    [['exposition'], 'Lumières', 'art'],
    [['other'], 'Book Club', 'community'],
  ])('sorted under %j, called %j, is %s', (categoryWords, title, expected) => {
    expect(category({ categoryWords, title }).found).toBe(expected);
  });

  it('of a class follows the place: out in a park, inside a library', () => {
    const yoga = (name: string) => category({ title: 'Morning Yoga', categoryWords: ['sports'], venue: { name } }).found;
    expect([yoga('Fountain Terrace (in Elm Park)'), yoga('Elm Library')]).toEqual(['outdoor', 'community']);
  });

  it('comes from the provider, the venue, the tags or the description when nothing else says it', () => {
    expect(category({ title: 'Kestrel', sources: ['Resident Advisor'] }).found).toBe('nightlife');
    expect(category({ title: 'Kestrel', venue: { name: 'Elm Street Theatre' } }).found).toBe('theater');
    expect(category({ title: 'Kestrel', tags: ['jazz'] }).found).toBe('concert');
    expect(category({ title: 'Kestrel', description: 'An evening of comedy.' })).toMatchObject({
      found: 'comedy',
      categoryReason: 'the description says "comedy"',
    });
  });

  it('without any word is a guess that says so, and agreement makes it surer', () => {
    expect(category({ title: 'Kestrel' })).toMatchObject({ found: 'community', categoryConfidence: 0.2 });
    const [one, two] = [category({ title: 'Jazz Trio' }), category({ title: 'Jazz Trio', categoryWords: ['Jazz'] })];
    expect(two.categoryConfidence).toBeGreaterThan(one.categoryConfidence);
  });

  it.each<[string, string]>([
    ['Concert de chambre', 'concert'],
    ['Quatuor du Port', 'concert'],
    ['Konzert im Hof', 'concert'],
    ['Gran concierto de verano', 'concert'],
    ['Vernissage : lumières', 'art'],
    ['Ausstellung: Hafenbilder', 'art'],
    ['Exposición de carteles', 'art'],
    ['Spectacle d’humour', 'comedy'],
    ['Kabarett am Abend', 'comedy'],
    ['Noche de monólogos', 'comedy'],
    ['Comédie musicale', 'theater'],
    ['Heure du conte', 'family'],
    ['Märchenstunde für Kinder', 'family'],
    ['Cuentacuentos para niños', 'family'],
    ['Randonnée au phare', 'outdoor'],
    ['Wanderung zum Leuchtturm', 'outdoor'],
    ['Marché public', 'food'],
    ['Wochenmarkt', 'food'],
    ['Conférence : les marées', 'community'],
    ['Vortrag über Gezeiten', 'community'],
    ['Taller de cerámica', 'community'],
    ['Author in conversation', 'art'],
    ['MUTS at Elm Lawn', 'art'],
  ])('is read from a title in its language: %s', (title, expected) => {
    expect(category({ title }).found).toBe(expected);
  });

  it('of a seller of theater tickets is theater, unless the title names another kind of evening', () => {
    const sold = (title: string) => category({ title, categoryWords: ['theater'], sources: ['TodayTix'] }).found;
    expect(
      ['Marrow Sisters: Film Strips', 'Ida Lark | Artists at Elm', 'Chamber Music in June', 'Stand-Up at Elm'].map(sold),
    ).toEqual(['theater', 'theater', 'concert', 'comedy']);
    expect(category({ title: 'Salsa Social', categoryWords: ['sports'], venue: { name: 'Elm Park' } }).found).toBe('community');
  });

  it('of music late at night and for hours is nightlife, unless the title says what kind of concert it is', () => {
    const at = (start: string, end: string | null, title = 'Kestrel Pride', words = 'music') =>
      category({ title, categoryWords: [words], start: `2026-06-19T${start}`, end }).found;
    expect(at('22:00', '2026-06-20T04:00')).toBe('nightlife');
    expect(at('21:00', '2026-06-20T01:00')).toBe('nightlife');
    expect(at('22:00', '2026-06-20T00:00')).toBe('concert');
    expect(at('22:00', null)).toBe('concert');
    expect(at('19:00', '2026-06-20T02:00')).toBe('concert');
    expect(at('22:00', '2026-06-20T04:00', 'Kestrel Jazz Quintet')).toBe('concert');
    expect(at('22:00', '2026-06-20T04:00', 'Kestrel', 'comedy')).toBe('comedy');
    expect(category({ title: 'Kestrel', start: '2026-06-19T22:00', end: '2026-06-20T04:00' })).toMatchObject({
      found: 'nightlife',
      categoryReason: 'it is listed at "22:00, for 6 hours"',
    });
  });

  it('is not that of the place where the title or the provider says another', () => {
    const venue = { name: 'Elm Park' };
    expect(category({ title: 'Movie night', venue }).found).toBe('art');
    expect(category({ title: 'Kestrel', categoryWords: ['Music'], venue: { name: 'Elm Night Club' } }).found).toBe('concert');
    expect(category({ title: 'A Walk on the Moon', venue: { name: 'Elm Theatre' } }).found).toBe('theater');
    expect(category({ title: 'Kestrel', venue })).toMatchObject({ found: 'outdoor', categoryConfidence: 0.3 });
  });
});
