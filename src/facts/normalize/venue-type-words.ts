/**
 * What speaks for the type of a venue, with weights. Words are folded; a phrase may have several. docs/normalizing.md explains the weights.
 */

import type { CapacityTier, Category, VenueType } from '../../records/index.ts';

export type Weights = Readonly<Partial<Record<VenueType, number>>>;

/** Words that name a kind of house. The last one of a name says what the venue is, earlier ones whose it is: `Museum Bar`. */
export const HOUSE_WORDS: readonly (readonly [Weights, string])[] = [
  [{ museum: 30 }, 'museum, musee, museo, museu, museet, aquarium, planetarium, observatory, science center'],
  [
    { theater: 30 },
    'theater, theatre, theaters, theatres, teatro, teatteri, teater, schauspielhaus, playhouse, opera, oper, opera house, cinema, cinemas, kino, cine, auditorium, philharmonic, philharmonie, konzerthaus, concert hall, konserttitalo, konserthus, stages, performing arts, performing arts center, for the arts, arts center, cultural center, centre culturel, maison de la culture, kulturhaus, music center, recital hall',
  ],
  [{ theater: 22, club: 15 }, 'music hall'],
  [{ stadium: 30 }, 'stadium, ballpark, stade, stadion, estadio, stadio, speedway, racetrack, velodrome'],
  [
    { arena: 30 },
    'arena, coliseum, colisee, colosseum, dome, ice rink, patinoire, sports hall, sporthalle, field house, gymnasium, gym',
  ],
  [
    { gallery: 30 },
    'gallery, galleries, galerie, galeria, galleria, galleri, atelier, kunsthalle, art center, bookstore, bookshop, books, librairie, buchhandlung',
  ],
  [
    { brewery: 30 },
    'brewery, brewing, taproom, brauerei, brauhaus, microbrasserie, brouwerij, cerveceria, birrificio, panimo, bryggeri',
  ],
  [
    { club: 30 },
    'club, nightclub, lounge, ballroom, disco, discotheque, discoteca, jazz, comedy club, supper club, cabaret, tanzlokal',
  ],
  [
    { bar: 30 },
    'bar, pub, tavern, taverne, saloon, taphouse, alehouse, wine bar, beer garden, biergarten, beer hall, kneipe, buvette, bodega',
  ],
  [
    { restaurant: 30 },
    'restaurant, ristorante, restaurante, ravintola, restaurang, cafe, caffe, grill, diner, bistro, brasserie, pizzeria, eatery, steakhouse, trattoria, osteria, food hall',
  ],
  [
    { park: 30 },
    'park, parks, parc, parque, parco, puisto, playground, playgrounds, play area, beach, plage, playa, strand, greenmarket, farmstand, farm stand, farmers market, farmers markets, farm market, youth market, flea market, meadow, lawn, botanic garden, botanical garden, botanical gardens, community garden, jardin, jardins, garten, giardino, forest, preserve, arboretum, bois, esplanade, promenade, zoo, cemetery, summerstage, bandshell, bandstand, tennis courts, basketball court, handball court, court, malls, oval, greenway, trail, recreation area, ballfield, ballfields, athletic field, baseball field, sitting area, waterfront',
  ],
];

/** What the contract's types do not have, as the type that is nearest by what one does there. docs/decisions.md says why. */
export const NEAREST_WORDS: readonly (readonly [Weights, string])[] = [
  [
    { museum: 40 },
    'library, libraries, bibliotheque, mediatheque, bibliothek, biblioteca, kirjasto, bibliotek, bibliotheek, archive, archives, heritage center, visitor center, nature center',
  ],
  [
    { theater: 28 },
    'church, cathedral, chapel, holy, synagogue, temple, mosque, eglise, basilique, kirche, iglesia, chiesa, kerk, igreja, kirkko, kyrka, school, college, university, academy, ecole, universite, schule, universitat, escuela, scuola, koulu, skola, community center, community centre, centre communautaire, senior center, town hall, city hall, borough hall, conference center, convention center, ymca, community house, neighborhood house',
  ],
  [
    { theater: 16 },
    'meeting room, reading room, multipurpose room, program room, gaming room, kids room, conference room, community room, classroom, info commons, youth wing',
  ],
  [{ arena: 28 }, 'recreation center, rec center, sports center, fitness center, skating rink, bowling'],
  [{ club: 12 }, 'rooftop, boat, cruise, cruises, yacht'],
  [{ restaurant: 8 }, 'kitchen, winery, food court, distillery'],
];

/** Words that many kinds of venues have. Each weight counts by the share of the events there that are of these categories, if many are known. */
export const WEAK_WORDS: readonly {
  words: string;
  type: VenueType;
  weight: number;
  of: readonly Category[] | 'any';
  /** Free events do not count: people play in a park, and pay for a ballpark. */
  isPaid?: true;
}[] = [
  { words: 'garden, gardens', type: 'park', weight: 10, of: 'any' },
  { words: 'garden, gardens', type: 'arena', weight: 14, of: ['concert', 'sports'] },
  { words: 'center, centre, centrum', type: 'arena', weight: 11, of: ['concert', 'sports'] },
  { words: 'center, centre, centrum', type: 'theater', weight: 6, of: 'any' },
  { words: 'field, fields', type: 'stadium', weight: 14, of: ['concert', 'sports'] },
  { words: 'field, fields', type: 'park', weight: 7, of: 'any' },
  { words: 'park', type: 'stadium', weight: 44, of: ['sports'], isPaid: true },
  { words: 'market, markets', type: 'park', weight: 16, of: ['food'] },
  { words: 'market, markets', type: 'restaurant', weight: 6, of: 'any' },
  {
    words:
      'plaza, square, pier, farm, green, island, street, parkway, boulevard, avenue, yard, courtyard, terrace, pond, river, lake, cove, alley, triangle, fountain, memorial',
    type: 'park',
    weight: 10,
    of: 'any',
  },
  { words: 'hall, stage, salle, sala, saal, zaal, sali', type: 'theater', weight: 5, of: 'any' },
];

/** Of a venue with nothing but events of one category, and many of them. */
export const CATEGORY_WEIGHTS: Readonly<Record<Category, Weights>> = {
  concert: { club: 14, theater: 7, bar: 5, arena: 3, park: -8 },
  comedy: { club: 12, theater: 6, bar: 4, park: -8 },
  theater: { theater: 20, park: -4 },
  nightlife: { club: 14, bar: 8, park: -8 },
  sports: { arena: 6, stadium: 6, bar: 5 },
  food: { restaurant: 10, park: 6, bar: 4, brewery: 2 },
  art: { gallery: 12, museum: 8, theater: 5 },
  family: { museum: 4, park: 4, theater: 4, gallery: 2 },
  festival: { park: 8, club: 4, theater: 3 },
  outdoor: { park: 16 },
  community: { theater: 5, museum: 4, gallery: 4, park: 3 },
};

/** Added by the share of the events of these categories that are free: they are held outdoors. */
export const FREE_WEIGHTS: Readonly<Partial<Record<Category, Weights>>> = {
  concert: { park: 16, club: -6 },
  sports: { park: 10 },
  food: { park: 8 },
  festival: { park: 6 },
};

/** An area of the city, whose houses nobody names: what is held there is outdoors. */
export const AREA_WEIGHTS: Weights = { park: 14 };

/** A house with games and concerts. */
export const GAMES_AND_CONCERTS: Weights = { arena: 4 };

/** A house where nights are held, too: a theater hardly ever lets people dance. */
export const NIGHTS_TOO: Weights = { club: 8, theater: -8 };

export const CAPACITY_WEIGHTS: Readonly<Record<CapacityTier, Weights>> = {
  large: { arena: 8, stadium: 6, park: 2, theater: 1, club: -8, gallery: -8, bar: -12, restaurant: -12, brewery: -12 },
  medium: { theater: 4, club: 3, arena: 2, bar: -4, restaurant: -4 },
  small: { club: 3, theater: 2, arena: -4, stadium: -8 },
  intimate: { bar: 3, club: 2, gallery: 2, arena: -12, stadium: -12 },
};

/** The type that a provider lists counts for itself, and a little for a type that is easily meant by it. */
export const LISTED_WEIGHT = 25;
export const LISTED_NEIGHBORS: Readonly<Partial<Record<VenueType, Weights>>> = {
  stadium: { arena: 12 },
  arena: { stadium: 6 },
  bar: { club: 10, restaurant: 8 },
  restaurant: { bar: 8 },
  gallery: { museum: 8, theater: 6 },
  museum: { gallery: 8 },
  club: { bar: 6, theater: 4 },
  theater: { arena: 16, club: 4 },
};
