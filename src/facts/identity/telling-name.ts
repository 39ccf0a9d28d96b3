/** Which names tell a place by themselves. */

import { nameWords } from './names.ts';
import { isNameWord } from './place-alignment.ts';

/**
 * Whether a name can be that of one place alone: `Copper Kettle`, `Kettle Library`, `Kesselhaus`. `Town Hall` and `Rathaus` are words that
 * every town has.
 */
export function isTellingName(name: string): boolean {
  const words = nameWords(name);
  const telling = words.filter((word) => isNameWord(word) && !GENERIC_WORDS.has(word) && /\p{L}/u.test(word));
  return telling.length > 0 && (words.length > 1 || (telling[0]?.length ?? 0) >= MIN_LETTERS);
}

/** A single shorter word is an abbreviation, or anything. */
const MIN_LETTERS = 4;
/** Words for houses that most towns have, and words that tell one of them from another, beside the kinds that all rules know. */
const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `town city village county municipal borough central downtown uptown north south east west n s e w old new upper lower the first second third
   post police fire district branch national state visitor civic senior youth sports memorial reading front back side mall depot home online
   headquarters courthouse townhouse clubhouse gymnasium parking campus cafeteria congregation parsonage rectory kindergarten daycare preschool
   rathaus altes neues alte neue bibliothek bucherei stadtbibliothek stadtbucherei gemeindebucherei stadthalle kirche pfarrkirche stadtkirche schule
   grundschule mittelschule hauptschule realschule gesamtschule gymnasium turnhalle sporthalle mehrzweckhalle festhalle sportplatz sportheim
   schutzenhaus feuerwehr feuerwehrhaus feuerwache bahnhof friedhof gemeindehaus gemeindezentrum burgerhaus burgerzentrum pfarrheim pfarrhaus
   pfarrsaal jugendzentrum jugendhaus vereinsheim stadtmuseum heimatmuseum schloss burg marktplatz dorfplatz spielplatz freibad hallenbad
   volkshochschule musikschule kita sparkasse volksbank apotheke backerei gasthof gasthaus halle saal zentrum haus evangelische katholische
   mairie hotel ville bibliotheque mediatheque ecole eglise gare salle polyvalente fete gymnase stade marche centre culturel culturelle maison
   lycee primaire maternelle municipale communal communale paroisse cimetiere poste
   ayuntamiento biblioteca iglesia escuela colegio teatro mercado museo centro cultural estacion casa cultura parroquia
   municipio chiesa scuola comunale palestra stazione parrocchia
   gemeentehuis bibliotheek kerk school stadhuis dorpshuis buurthuis sporthal zwembad`
    .split(/\s+/)
    .flatMap(nameWords),
);
