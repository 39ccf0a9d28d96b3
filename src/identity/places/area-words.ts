/** Words of the names of areas. Written as people write them, kept in the spelling of `names`. */

import { nameWords } from '../names.ts';

/** Sides and sizes of an area, before its name: `Lower Queen Anne`, `Mid-Beacon Hill`. */
export const SIDES = wordsOf(
  `north south east west northeast northwest southeast southwest northern southern eastern western lower upper mid middle inner outer central old
   new greater near far little vieux haut bas alt neu nord sud est ouest ost`,
);

/** The middle of a city. */
export const CENTERS = phrasesOf(
  `downtown, central business district, business district, cbd, city center, city centre, town center, the loop, downtown core, downtown area,
   centre ville, centre-ville, centro, centro historico, centro storico, innenstadt, stadtmitte, stadtzentrum, zentrum, centrum, binnenstad, keskusta`,
);

/** All of a city, or several of its areas. */
export const EVERYWHERE = wordsOf(
  `citywide city wide multiple various several all many different other neighborhoods neighbourhoods locations districts areas boroughs places streets
   parks venues sites route`,
);

/** Grounds and ways: what is called so is in the city, whoever lists it. */
export const GROUNDS_WORDS = wordsOf(
  `park parks playground playfield playfields beach beaches square plaza garden gardens cemetery zoo green greenway greenbelt boardwalk promenade
   waterfront riverfront lakefront trail path pier dock marina harbor lake pond creek river reservoir island hill heights meadow woods forest ravine
   field fields ballfield stadium commons common mall esplanade bridge plaza district village campus grounds fairgrounds amphitheater pavilion
   street avenue boulevard road drive place lane way parkway terrace triangle circle oval overlook viewpoint center
   parc jardin quai place rue boulevard pont platz strasse ufer brucke plein plantsoen puisto tori katu parque plaza calle playa`,
);

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).flatMap(nameWords));
}

function phrasesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(',').map((phrase) => nameWords(phrase.trim()).join(' ')));
}
