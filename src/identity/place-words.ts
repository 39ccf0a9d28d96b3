/** The words of place names, by how much they tell: tables for `place-name` and the comparison. All in the spelling of `names`. */

import { nameWords } from './names.ts';

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).flatMap(nameWords));
const phrasesOf = (text: string): ReadonlySet<string> =>
  new Set(text.split(',').map((phrase) => nameWords(phrase.trim()).join(' ')));

/** What a part of a house is called. */
export const ROOM_WORDS = setOf(
  `room hall stage rooftop roof zone lab auditorium lounge floor upstairs downstairs basement cellar backyard yard patio terrace deck garden
   courtyard outdoor indoor studio theater lobby balcony mezzanine loft gallery cafe ballroom foyer atrium chapel gym classroom screen court
   field lawn entrance area plaza pavilion house bar annex wing tent meadow pool attic den parlor salon office library space kitchen club
   center court arena galleria amphitheater bandshell playfield ruin floor main below`,
);

/** Ends a name without any sign before it: "The Sultan Room Rooftop", "Westside Theatre Upstairs". */
export const TRAILING_ROOMS = setOf('rooftop upstairs downstairs outdoor outdoors basement backyard terrace patio mezzanine');

/** With a number or letter after it, ends a name: "New World Stages Stage 3", "59E59 Theaters Theater A". */
export const NUMBERED_ROOMS = setOf('stage theater room screen auditorium cinema studio court field hall');

/** What kind of place it is: said by many names, so it proves little; two different kinds speak against. */
export const KIND_WORDS = setOf(
  `theater center hall club bar cafe restaurant lounge grill pub tavern diner kitchen bakery pizza pizzeria market deli store shop salon school church
   chapel temple synagogue cathedral mosque cemetery library museum gallery studio park playground garden field court pool beach pier plaza square tower
   building house apartment hotel inn suite hospital clinic bank station stop lot garage office department university college academy institute lodge
   stadium arena ballpark ballroom auditorium cinema music jazz comedy nightclub concert art arts space room stage society association company co inc
   llc corp group service greenmarket farmer farm stand farmstand food public community recreation rec elementary high middle street st av road rd`,
);

/** Cities, boroughs and states, which providers add to tell chains apart: they end a name and are no part of it. */
export const AREAS = phrasesOf(
  `ny, nyc, new york, new york city, new york ny, manhattan, brooklyn, brooklyn ny, bk, queens, bronx, the bronx, staten island, long island, nj, new jersey,
   connecticut, pa, ca, tx, texas, il, ma, dc, washington dc, fl, ga, wa, oregon, nv, az, co, mn, mi, oh, nc, va, md, tn, la, mo, chicago, chicago il, austin,
   austin tx, boston, los angeles, san francisco, seattle, philadelphia, usa, us, united states, london, uk, midtown, midtown manhattan, downtown, uptown,
   upper east side, upper west side, lower east side, williamsburg, bushwick, dumbo, harlem, soho, tribeca, astoria, ridgewood, greenpoint`,
);

/** Names that say where nothing is. */
export const NOWHERE = phrasesOf(
  `tba, tbd, tbc, online, virtual, virtual online event, online event, zoom, livestream, various, various location, multiple location, secret location,
   location tba, venue tba, to be announced, unknown, none, citywide, city wide, n a, rsvp for location`,
);

/** Ends the name of a street. */
export const STREET_WORDS = setOf(
  'street avenue boulevard road drive place lane court parkway highway turnpike terrace square way walk broadway slip row',
);
