/** States and provinces that follow a town, by their codes and names, and about where each lies. */

import type { Point } from '../values/distance.ts';
import { foldWord } from './spelling.ts';

/** Degrees of a box around the whole state, rounded to the outside: what lies outside of it is not of the state. */
interface State {
  south: number;
  west: number;
  north: number;
  east: number;
}

/** Whether words, folded and joined, may name a state: its code or its name. */
export const isStateCode = (word: string): boolean => CODES.has(word);
export const isStateName = (word: string): boolean => NAMES.has(word);

/** Whether a place is in none of the states of a code or a name: `WA` is a state of two countries. */
export function isOutsideOf(word: string, { latitude, longitude }: Point): boolean {
  const states = [...(CODES.get(word) ?? []), ...(NAMES.get(word) ?? [])];
  return states.every(
    ({ south, west, north, east }) => latitude < south || latitude > north || longitude < west || longitude > east,
  );
}

/** The countries of the table. Elsewhere the same letters are provinces: `Milano (MI)`. */
export const COUNTRIES_OF_STATES: ReadonlySet<string> = new Set(['US', 'CA', 'AU', 'DE']);

/** A line for each: its code or `-`, its names without blanks, and south, west, north and east. */
const TABLE = `
  al alabama 30.1 -88.5 35.1 -84.8
  ak alaska 51 -180 71.5 -129
  az arizona ariz 31.3 -114.9 37.1 -109
  ar arkansas 33 -94.7 36.6 -89.6
  ca california calif 32.5 -124.5 42.1 -114.1
  co colorado colo 36.9 -109.1 41.1 -102
  ct connecticut conn 40.9 -73.8 42.1 -71.7
  de delaware 38.4 -75.8 39.9 -74.9
  dc districtofcolumbia 38.7 -77.2 39 -76.9
  fl florida fla 24.3 -87.7 31.1 -79.9
  ga georgia 30.3 -85.7 35.1 -80.8
  hi hawaii 18.8 -160.6 22.3 -154.7
  id idaho 41.9 -117.3 49.1 -111
  il illinois 36.9 -91.6 42.6 -87
  in indiana 37.7 -88.2 41.8 -84.7
  ia iowa 40.3 -96.7 43.6 -90.1
  ks kansas 36.9 -102.1 40.1 -94.5
  ky kentucky 36.4 -89.6 39.2 -81.9
  la louisiana 28.8 -94.1 33.1 -88.7
  me maine 42.9 -71.2 47.5 -66.8
  md maryland 37.8 -79.5 39.8 -75
  ma massachusetts mass 41.2 -73.6 42.9 -69.8
  mi michigan mich 41.6 -90.5 48.4 -82.1
  mn minnesota minn 43.4 -97.3 49.5 -89.4
  ms mississippi 30.1 -91.7 35.1 -88
  mo missouri 35.9 -95.8 40.7 -89
  mt montana 44.3 -116.1 49.1 -104
  ne nebraska 39.9 -104.1 43.1 -95.2
  nv nevada 34.9 -120.1 42.1 -114
  nh newhampshire 42.6 -72.6 45.4 -70.5
  nj newjersey 38.8 -75.6 41.4 -73.8
  nm newmexico 31.3 -109.1 37.1 -102.9
  ny newyork 40.4 -79.8 45.1 -71.7
  nc northcarolina 33.7 -84.4 36.7 -75.3
  nd northdakota 45.9 -104.1 49.1 -96.5
  oh ohio 38.3 -84.9 42.4 -80.4
  ok oklahoma 33.6 -103.1 37.1 -94.3
  or oregon ore 41.9 -124.7 46.4 -116.4
  pa pennsylvania penn 39.6 -80.6 42.4 -74.6
  ri rhodeisland 41 -72 42.1 -71
  sc southcarolina 32 -83.4 35.3 -78.4
  sd southdakota 42.4 -104.1 46 -96.4
  tn tennessee tenn 34.9 -90.4 36.8 -81.6
  tx texas tex 25.7 -106.7 36.6 -93.4
  ut utah 36.9 -114.1 42.1 -109
  vt vermont 42.7 -73.5 45.1 -71.4
  va virginia 36.5 -83.7 39.5 -75.1
  wa washington wash 45.5 -124.9 49.1 -116.8
  wv westvirginia 37.1 -82.7 40.7 -77.6
  wi wisconsin 42.4 -93 47.4 -86.2
  wy wyoming 40.9 -111.1 45.1 -104
  pr puertorico 17.8 -68 18.6 -65.1
  ab alberta 48.9 -120.1 60.1 -109.9
  bc britishcolumbia 48.2 -139.1 60.1 -113.9
  mb manitoba 48.9 -102.1 60.1 -88.9
  nb newbrunswick 44.5 -69.1 48.1 -63.7
  nl newfoundland 46.5 -67.9 60.5 -52.5
  ns novascotia 43.3 -66.5 47.1 -59.6
  on ontario 41.6 -95.3 57 -74.2
  pe princeedwardisland 45.9 -64.5 47.1 -61.9
  qc quebec 44.9 -79.9 62.7 -57
  sk saskatchewan 48.9 -110.1 60.1 -101.3
  yt yukon 59.9 -141.1 69.7 -123.7
  nt northwestterritories 59.9 -136.6 78.9 -101.9
  nu nunavut 51.6 -120.9 83.2 -61
  nsw newsouthwales -37.6 140.9 -28.1 159.2
  vic victoria -39.3 140.9 -33.9 150.1
  qld queensland -29.3 137.9 -9.9 153.7
  tas tasmania -43.8 143.7 -39.1 148.6
  sa southaustralia -38.2 128.9 -25.9 141.1
  wa westernaustralia -35.3 112.8 -13.6 129.1
  nt northernterritory -26.1 128.9 -10.9 138.1
  act australiancapitalterritory -36 148.7 -35.1 149.5
  - badenwürttemberg 47.5 7.5 49.8 10.5
  - bayern bavaria 47.2 8.9 50.6 13.9
  - brandenburg 51.3 11.2 53.6 14.8
  - hessen hesse 49.3 7.7 51.7 10.3
  - mecklenburgvorpommern 53.1 10.5 54.8 14.5
  - niedersachsen lowersaxony 51.2 6.6 54 11.6
  - nordrheinwestfalen 50.3 5.8 52.6 9.5
  - rheinlandpfalz 48.9 6.1 51 8.6
  - saarland 49.1 6.3 49.7 7.5
  - sachsen saxony 50.1 11.8 51.7 15.1
  - sachsenanhalt saxonyanhalt 50.9 10.5 53.1 13.2
  - schleswigholstein 53.3 7.8 55.1 11.4
  - thüringen thuringia 50.2 9.8 51.7 12.7`;

const LINE = /^\s*(\S+) (\D+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+) (-?[\d.]+)$/;
const CODES = new Map<string, State[]>();
const NAMES = new Map<string, State[]>();
for (const line of TABLE.trim().split('\n')) {
  const [, code = '', names = '', ...box] = LINE.exec(line) ?? [];
  const [south = 0, west = 0, north = 0, east = 0] = box.map(Number);
  const state = { south, west, north, east };
  const add = (map: Map<string, State[]>, word: string) => map.set(word, [...(map.get(word) ?? []), state]);
  if (code !== '-') add(CODES, code);
  for (const name of names.split(' ')) add(NAMES, foldWord(name));
}
