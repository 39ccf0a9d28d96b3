/** Who is on: invented people, bands, teams. Any likeness is chance. */

import type { SeededRandom } from '../values/random.ts';
import { fill, lines } from './phrase.ts';

export type Cast =
  | 'band'
  | 'singer'
  | 'ensemble'
  | 'dj'
  | 'comic'
  | 'improvisers'
  | 'actors'
  | 'author'
  | 'chef'
  | 'teams'
  | 'artist'
  | 'nobody';

/** The names on the bill, the first being the one the evening is about. Teams come as home side and visitors. */
export function makeCast(cast: Cast, random: SeededRandom): string[] {
  switch (cast) {
    case 'band':
      return [
        bandName(random),
        ...(random.chance(0.45) ? [bandName(random)] : []),
        ...(random.chance(0.12) ? [bandName(random)] : []),
      ];
    case 'ensemble':
      return [fill(random.pick(ENSEMBLES), NAMES, random), ...(random.chance(0.4) ? [person(random)] : [])];
    case 'dj':
      return [djName(random), ...(random.chance(0.6) ? [djName(random)] : []), ...(random.chance(0.25) ? [djName(random)] : [])];
    case 'improvisers':
      return [random.pick(TROUPES), ...(random.chance(0.3) ? [random.pick(TROUPES)] : [])].filter(isFirst);
    case 'comic':
      return Array.from({ length: random.whole(1, 4) }, () => person(random));
    case 'actors':
      return Array.from({ length: random.whole(2, 4) }, () => person(random));
    case 'teams':
      return [random.pick(HOME_TEAMS), random.pick(VISITORS)];
    case 'singer':
      return [person(random), ...(random.chance(0.35) ? [person(random)] : [])];
    case 'author':
    case 'artist':
    case 'chef':
      return [person(random)];
    case 'nobody':
      return [];
  }
}

export const person = (random: SeededRandom): string => `${random.pick(FIRST)} ${random.pick(LAST)}`;
const bandName = (random: SeededRandom): string => fill(random.pick(BANDS), NAMES, random);
const djName = (random: SeededRandom): string => fill(random.pick(DJS), NAMES, random);
const isFirst = (name: string, index: number, all: readonly string[]): boolean => all.indexOf(name) === index;

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const FIRST = words(`
  Ada Amara Anneke Beatriz Bertrand Calla Cassius Celeste Dalia Delphine Desmond Dorothea Efua Elio Emeka Esther Farah Felix
  Fenna Florian Gemma Gideon Greta Hana Harlan Hollis Idris Imani Ines Ingrid Isidore Jasper Joaquín Juno Kaito Kamala Keziah
  Lars Leocadia Linnea Lucian Mabel Mateus Mirela Moses Nadia Niamh Noor Odalys Orla Oswin Paloma Percival Priya Quentin Rafaela
  Renzo Rosalind Rufus Sabela Samir Solveig Soraya Tadeo Thandiwe Tobias Uma Vesna Viola Wendell Winifred Xiomara Yusuf Zora Zoltán
`);
const LAST = words(`
  Abernathy Adeyemi Alcázar Ambrose Aoki Arceneaux Ashdown Bakshi Barrow Bellweather Bianchi Blackwood Bramble Caldera Castellane
  Chaudhry Corbin Dahl Delacroix Dembélé Drummond Eastlake Ekström Fairweather Farrow Fontaine Galloway Ghorbani Greaves Halloran
  Hargrove Hinterland Holm Ibarra Ivers Jelinek Kaplan Karras Kimura Kestner Lacroix Lindqvist Locke Maddox Mbeki Merriweather
  Montrose Nakamura Northcott Obuya Okonkwo Ostrander Oyelaran Pemberton Pereira Quill Ravenel Rosewater Saavedra Salt Sandoval
  Sinclair Solano Stavros Tamblyn Thackeray Thibodeaux Underhill Vance Vantongeren Villanueva Whitlock Winterbourne Yamane Zielinski
`);
const NAMES = {
  thing: words(`
    Lanterns Paper Herons Radiators Satellites Orchards Kites Ledgers Tides Foxes Engines Ferries Almanacs Mirrors Postcards
    Thistles Sparrows Furnaces Cassettes Comets Hinges Ladders Marbles Pianos Umbrellas Weathervanes Anchors Moths
  `),
  look: words(`
    Velvet Paper Copper Second Northern Borrowed Electric Quiet Crooked Salt Winter Plastic Golden Hollow Tender Sunday Neon Wooden
    Pale Slow Secret Little Cardinal Ivory Restless Foggy Distant Wild
  `),
  place: [
    'Kestrel County',
    'Millrace',
    'Gull Island',
    'the Lower Docks',
    'Almanac Lane',
    'Quarry Road',
    'the Inland Sea',
    'Exit 14',
  ],
  last: LAST,
  first: FIRST,
  sound: words('Choir Orchestra Club Union Society Parade Machine Company Ensemble Revival Assembly Committee'),
};
const BANDS = lines(`
  {look} {thing}
  {look} {thing}
  The {look} {thing}
  {thing} of {place}
  {first} & the {thing}
  The {last} Sisters
  The {last} Trio
  {look} {look} {sound}
  {last} Street {sound}
  No More {thing}
  {first} {last} Band
  Dear {first}
  We Were {thing}
  {thing} at Noon
`);
const ENSEMBLES = lines(`
  Port Alder {Symphony|Chamber Orchestra|Sinfonietta|Wind Octet}
  {last} {Quartet|Trio|Quintet}
  {look} {sound}
  The Collegiate {Consort|Singers|Baroque Players}
  Lantern Hill {Chorale|Camerata}
`);
const DJS = lines(`
  DJ {look}
  {first} {last}
  {look} {thing} Soundsystem
  Mx. {last}
  {thing} FM
  {first} K
  DJ {first} Salt
  {look} Static
`);
const TROUPES = lines(`
  Fourth Wall Repair
  The Yes Department
  Bad Understudies
  Loose Change
  Committee of Whole
  Unattended Luggage
  The Second Opinion
  Mostly Ladders
`);
const HOME_TEAMS = lines(`
  Port Alder Pilots
  Port Alder Kestrels
  Alder County Lamplighters
  Gaslight City Roller Derby
  Port Alder Tide
`);
const VISITORS = lines(`
  Grand Bluff Miners
  Lake Verity Otters
  Eastmere Storm
  Sable River Foxes
  Tamarack City Axes
  Cedar Bend Comets
  Wexford Falls Herons
  Halloway Ironmen
  Port Sorrow Mariners
  Two Forks Thunder
`);
