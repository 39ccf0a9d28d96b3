/** Words around an address that are no street and no town, by what they mean. All in the form of `foldWord`. */

import { foldWord } from './spelling.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/).map(foldWord));

/** Before a room or a part of a house: what follows it is a name or a number. */
export const UNIT_WORDS = wordsOf(`
  unit apt apartment suite ste floor fl flr room rm bldg building level lower upper rear front back basement attic loft studio lobby hall
  entrance door gate wing tower tower block lot parking garage stairs upstairs downstairs mezzanine penthouse ph ground grd annex
  hinterhaus vorderhaus seitenflugel og eg ug dg etage stock stockwerk eingang raum saal zimmer treppe aufgang keller haus hinterhof innenhof
  parkplatz tur links rechts etg erdgeschoss obergeschoss untergeschoss dachgeschoss rgb geb gebaude
  etage batiment bat salle escalier esc porte entree rdc rez appt appartement sous cour fond hall niveau
  piso planta puerta escalera sala bajo local edificio piano scala interno sala verdieping zaal ingang`);

/** Words of the names of houses and grounds, and of what people add to an address; a part with one of them is no town. */
export const HOUSE_WORDS = wordsOf(`
  the a an our your all free ring bell call phone tel telephone fon fax www http https email mail link registration website info ask see only
  no not with and or for from to of at by on us room rooms side corner corners near next behind across between opposite inside outside
  church chapel cathedral temple mosque synagogue school college university campus library museum gallery theater theatre cinema club bar cafe
  coffee pub restaurant brewery bakery kitchen shop store market mall center centre arena stadium field gym court park plaza garden gardens
  pavilion square green common commons hotel inn hostel hospital clinic station stop airport terminal pier dock house home office offices
  auditorium ballroom patio terrace deck roof rooftop courtyard yard barn farm tent stage booth table space lounge cellar vault warehouse
  armory foundry mill works factory society association foundation center parish legion lodge grange ymca ywca vfw post trail bridge tracks rail
  kirche kapelle dom schule gymnasium hochschule universitat bibliothek bucherei museum galerie theater kino kneipe restaurant gasthof gasthaus
  wirtshaus brauerei halle turnhalle sporthalle mehrzweckhalle festhalle stadthalle gemeindehaus gemeindesaal pfarrheim pfarrhaus rathaus
  burgerhaus burgersaal feuerwehrhaus scheune kulturscheune muhle bahnhof marktplatz schloss burg hof garten park platz wiese vereinsheim
  sportheim jugendzentrum zentrum treffpunkt kostenlos hinter neben gegenuber nahe ecke zwischen beim bei an der dem im am
  eglise chapelle cathedrale ecole lycee universite bibliotheque mediatheque musee galerie theatre cinema bistro brasserie restaurant salle
  marche mairie gare parc jardin stade gymnase maison centre espace derriere devant angle face pres coin entre
  iglesia escuela biblioteca museo teatro cine restaurante bar mercado ayuntamiento estacion parque casa centro
  chiesa scuola museo teatro mercato municipio stazione parco kerk museum theater station`);

/** Before a second street or a hint: what follows says where the house is not. */
export const NEARBY_WORDS = wordsOf(`
  near at off between btw btwn behind across opposite opp entrance enter entry parking park from via next corner by toward towards facing
  eingang einfahrt zufahrt parken parkplatz nahe bei neben hinter gegenuber zwischen uber
  entree acces pres derriere face parking entre angle cerca junto entrada entre vicino accesso ingang tegenover naast`);

/** Between the two streets of a corner, and before or behind them. */
export const CORNER_WORDS = wordsOf(
  'ecke eck corner cor intersection crossing x angle coin esquina angolo hoek kreuzung croisement',
);

/** Before or behind a house number. */
export const NUMBER_WORDS = wordsOf('no nr num number numero hausnummer hausnr n numer num haus');

/** Texts that name no place. */
export const NO_PLACE_WORDS = wordsOf(`
  tba tbd tbc online virtual zoom webinar livestream stream streaming remote internet web youtube facebook teams skype discord twitch
  various multiple varies several unknown none location locations venue venues announced announcement to be determined confirmed see website details
  after registration link n na anywhere everywhere private secret
  wird noch bekannt gegeben bekanntgegeben verschiedene orte ort unbekannt folgt digital hybrid
  en ligne a venir definir preciser confirmer lieu lieux divers visio por confirmar linea varios`);

/** Numbers in words. */
export const NUMBER_NAMES: ReadonlyMap<string, number> = new Map(
  'one two three four five six seven eight nine ten'.split(' ').map((word, index) => [foldWord(word), index + 1]),
);

/** Words that may stand beside the name of a town: `North`, `Downtown`, `OT`. */
export const TOWN_ADDITIONS = wordsOf(`
  north south east west northeast northwest southeast southwest n s e w downtown uptown midtown central old greater city town village metro area
  near in of the historic inner outer upper lower
  stadt ortsteil ot bei markt gemeinde altstadt innenstadt nord sud ost west zentrum alt
  ville centre vieux nord sud est ouest cedex ciudad centro citta centrum`);
/** Behind the name of a town, before what tells it from others: `am Main`, `sur Loire`. */
export const TOWN_SUFFIXES = wordsOf('am an im in a b bei ob auf sur sous les lez en aan del de upon on by');

/** Region codes by the names of countries, as addresses end with them. */
export const COUNTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    US: 'usa us america unitedstates unitedstatesofamerica',
    CA: 'canada',
    GB: 'uk gb england scotland wales unitedkingdom greatbritain',
    IE: 'ireland eire',
    DE: 'deutschland germany allemagne de',
    AT: 'osterreich austria',
    CH: 'schweiz suisse svizzera switzerland',
    FR: 'france frankreich',
    BE: 'belgique belgie belgium belgien',
    LU: 'luxembourg luxemburg',
    NL: 'nederland netherlands niederlande holland',
    IT: 'italia italy italien',
    ES: 'espana spain spanien',
    PT: 'portugal',
    DK: 'danmark denmark',
    SE: 'sverige sweden',
    NO: 'norge norway',
    FI: 'suomi finland',
    PL: 'polska poland polen',
    CZ: 'cesko czechia',
    AU: 'australia',
    NZ: 'newzealand',
    MX: 'mexico',
  }).flatMap(([code, names]) => names.split(' ').map((name): [string, string] => [foldWord(name), code])),
);
