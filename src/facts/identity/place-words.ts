/** The words of place names, by how much they tell. Written as people write them, kept in the spelling of `names`. */

import { nameWords } from './names.ts';

/** What a part of a house, a park or a campus is called. */
export const ROOM_WORDS = wordsOf(
  `room hall stage rooftop roof zone lab auditorium lounge floor upstairs downstairs basement cellar backyard yard patio terrace deck garden
   courtyard outdoor indoor studio theater lobby balcony mezzanine loft gallery cafe ballroom foyer atrium chapel gym classroom screen court field lawn
   entrance area plaza pavilion house bar annex wing tent meadow pool attic den parlor salon office library space kitchen center amphitheater
   bandshell playfield ruin main below playground track rink path trail pond lake dock pier greenmarket farmstand run ballfield station restroom`,
);

/** Parts of a house that are no house by themselves: with such a word a name without any other is that of a room. */
export const INNER_ROOMS = wordsOf(
  `room gym gymnasium ballroom auditorium lobby rooftop roof basement terrace patio courtyard yard backyard atrium foyer balcony mezzanine loft stage
   studio lounge classroom lab laboratory hall floor deck garden attic den parlor salon pool kitchen chapel annex wing suite office screen entrance
   conservatory boardroom cafeteria makerspace workshop saal raum foyer buhne keller hof dachterrasse salle amphi sous-sol`,
);

/** Tell the rooms of one house apart, and no house from another: `Grande salle`, `Kleiner Saal`. */
export const ROOM_SIZES = wordsOf(
  'big large small little upper lower main great new old grand grande petit petite haut haute bas basse gross grosser grosse kleiner kleine oberer unterer neuer alter',
);

/** Follows the full name of a house, and is a part of it then: `Bellefield Hall Gym`. */
export const PARTS = wordsOf(
  `gym ballroom auditorium lobby rooftop basement terrace patio courtyard chapel cafeteria bookstore atrium room kitchen garage classroom entrance
   comfort restroom parking library lounge lab laboratory pool breakroom underpass rectory nursery cluster dormitory turnaround circle floor
   emergency inpatient outpatient optical pharmacy atm desk locker smoking fitness`,
);

/** The same after any name: no house is called so as a whole. */
export const ALWAYS_PARTS = wordsOf('underpass lab breakroom optical garage parking cluster restroom entrance atm turnaround');

/** Grounds of which everything is a part that has their full name before its own: `Astoria Park Lawn`, `Lehman College Library`. */
export const OPEN_GROUNDS = wordsOf('park playground beach square plaza cemetery zoo');
export const CAMPUSES = wordsOf('university college academy seminary hospital campus');

/** But not these, which are only called after the park or the square they look on: `Sunset Park Library`, `Union Square Cafe`. */
export const NAMED_AFTER_GROUNDS = wordsOf(
  `hotel inn suite hostel library cafe restaurant bar grill pub tavern diner theater cinema church school academy apartment condominium tower bank
   deli store shop salon gallery company clinic synagogue temple station garden hall center club museum`,
);

/** What has many parts under its own name, and so comes last where the part comes first: `Great Lawn, Central Park`. */
export const GROUNDS = wordsOf('park playground garden square campus island cemetery university college');

/** Ends a name without any sign before it: `The Sultan Room Rooftop`, `Westside Theatre Upstairs`. */
export const TRAILING_ROOMS = wordsOf('rooftop upstairs downstairs outdoor backyard mezzanine');

/** With a number or letter after it, ends a name: `New World Stages Stage 3`, `59E59 Theaters Theater A`. */
export const NUMBERED_ROOMS = wordsOf('stage theater room screen auditorium cinema studio court field hall');

/** What kind of place it is: said by many names, so it proves little; two different kinds speak against. */
export const KIND_WORDS = wordsOf(
  `theater center hall club bar cafe restaurant lounge grill pub tavern diner kitchen bakery pizza pizzeria market deli store shop salon school church
   chapel temple synagogue cathedral mosque cemetery library museum gallery studio park playground garden field court pool beach pier plaza square tower
   building house apartment hotel inn suite hospital clinic bank station stop lot garage office department university college academy institute lodge
   stadium arena ballpark ballroom auditorium cinema music jazz comedy nightclub concert art space room stage society association company
   llc corp group service greenmarket farmer farm stand farmstand food public community recreation elementary high middle street avenue road casino gym catholic
   episcopal presbyterian baptist lutheran methodist roman parish complex condominium
   play area picnic seating meeting conference program multipurpose entrance athletic basketball tennis soccer baseball softball handball bocce
   petanque sport event performance statue rooftop floor lawn branch large small main`,
);

/** Kinds that many houses of other kinds have in their names: they contradict nothing. */
export const NEUTRAL_KINDS = wordsOf(
  `building center house hall tower complex company corp group service association society department office public community branch large small main
   street avenue road food recreation space room sport event`,
);

/** Grounds so wide that two points of one may be a quarter apart. */
export const WIDE_GROUNDS = wordsOf('park cemetery beach zoo campus university college island airport');

/** Words of which a place has one or the other. */
export const OPPOSITES: readonly (readonly [string, string])[] = [
  ['n', 's'],
  ['e', 'w'],
  ['upper', 'lower'],
  ['upstair', 'downstair'],
  ['indoor', 'outdoor'],
];

/** Cities of other countries. Alone they are names of houses: a club in New York is called `Warsaw`. */
export const FAR_CITIES = phrasesOf(
  `calgary, ottawa, edmonton,
   winnipeg, quebec, halifax, ontario, edinburgh, glasgow, manchester, birmingham, liverpool, leeds, bristol, cardiff, belfast, dublin, scotland,
   england, wales, ireland, singapore, kuala lumpur, hong kong, tokyo, osaka, seoul, bangkok, jakarta, manila, mumbai, delhi, sydney, melbourne,
   brisbane, perth, adelaide, auckland, paris, lyon, marseille, toulouse, bordeaux, nantes, lille, berlin, hamburg, munich, munchen, cologne, koln,
   frankfurt, stuttgart, vienna, wien, zurich, geneva, basel, amsterdam, rotterdam, utrecht, brussels, antwerp, ghent, madrid, barcelona, valencia,
   sevilla, lisbon, porto, rome, roma, milan, milano, naples, turin, florence, athens, istanbul, prague, warsaw, krakow, budapest, bucharest,
   copenhagen, stockholm, gothenburg, oslo, bergen, tampere, turku, espoo, reykjavik, tallinn, riga, vilnius, mexico city, guadalajara, sao paulo,
   rio de janeiro, buenos aires, santiago, bogota, lima, cape town, johannesburg, nairobi, cairo, tel aviv, dubai`,
);

/**
 * States, large cities and some of their quarters, which providers add to tell places of one name apart: at the end of a name they are no part
 * of it. A quarter that is missing here costs little: a word that only one of two names has weighs little where both lie at one door.
 */
export const AREAS: ReadonlySet<string> = new Set([
  ...FAR_CITIES,
  ...phrasesOf(
    `ny, nyc, new york, new york city, new york ny, manhattan, brooklyn, brooklyn ny, bk, queens, bronx, the bronx, staten island, long island, nj,
   new jersey, pa, ca, tx, texas, il, ma, dc, washington dc, fl, ga, wa, or, nv, az, mn, mi, oh, nc, va, md, tn, usa, us, united states, uk,
   chicago, chicago il, austin, austin tx, boston, los angeles, san francisco, san diego, san antonio, san jose, seattle, philadelphia, pittsburgh,
   dallas, houston, denver, portland, detroit, atlanta, miami, minneapolis, cleveland, baltimore, nashville, new orleans, las vegas,
   milwaukee, sacramento, kansas city, st louis, cincinnati, charlotte, toronto, montreal, vancouver, london, helsinki,
   midtown, midtown manhattan, downtown, uptown, upper east side, upper west side, lower east side, east village, west village, williamsburg,
   bushwick, dumbo, harlem, soho, tribeca, astoria, ridgewood, greenpoint, long island city, park slope, the loop, wicker park, logan square`,
  ),
]);

/** Single words of areas, where they stand inside a name. */
export const AREA_WORDS: ReadonlySet<string> = new Set([
  ...[...AREAS].filter((phrase) => !phrase.includes(' ') && !FAR_CITIES.has(phrase)),
  ...wordsOf('new york los angeles san francisco diego'),
]);

/** Names that say where nothing is. */
export const NOWHERE = phrasesOf(
  `tba, tbd, tbc, online, virtual, virtual online event, online event, zoom, livestream, various, various location, multiple location, secret location,
   location tba, venue tba, to be announced, unknown, none, citywide, city wide, n a, rsvp for location`,
);

/** Ends the name of a street. */
export const STREET_WORDS = wordsOf(
  `street avenue boulevard road drive place lane court parkway highway turnpike terrace square way walk broadway slip row route rt pike`,
);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).flatMap(nameWords));
}

function phrasesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(',').map((phrase) => nameWords(phrase.trim()).join(' ')));
}
