/** A place that is one text: its name and its address. */

export interface PlaceText {
  name: string;
  address: string | null;
}

/**
 * `Name, 12 Some Street, City`, `Name @ 12 Some Street`, `Name - 12 Some Street`, `Name (12 Some Street, City)`, or a name above an address.
 * A comma alone may be part of a name. A text that begins with a house number is an address, and its first part the name.
 */
export function splitPlace(written: string): PlaceText {
  const place = written.replace(LINE_TAG, '\n').replace(/\r\n?/g, '\n').trim();
  const [, before = '', inside = ''] = IN_BRACKETS.exec(place) ?? [];
  if (before !== '' && /\d/.test(inside) && !/\d/.test(before) && !inside.includes('://'))
    return { name: before, address: inside };
  const comma = place.indexOf(',');
  const isBeforeNumber = comma < place.search(/\d\D*$/);
  const marks = [place.indexOf('\n'), place.indexOf(' @ '), place.search(DASH_BEFORE_STREET), isBeforeNumber ? comma : -1];
  const at = marks.find((found) => found > 0) ?? place.length;
  const name = place.slice(0, at).trim();
  const rest = place
    .slice(at)
    .replace(/^[\s,@–—-]+/, '')
    .trim();
  // `Hauptstraße 5, 95444 Ort`: a street with its number behind it, and the town.
  if (ENDS_WITH_NUMBER.test(first(place)) || (NAME_AND_NUMBER.test(name) && POSTCODE_AND_TOWN.test(rest)))
    return { name: first(place), address: place };
  if (isRoom(rest)) return { name: place, address: null };
  if (!beginsWithNumber(name)) return { name, address: rest === '' ? null : rest };
  // `12 Some Street - City, ST`: programs set the dash where people write a comma.
  const address = place.replace(DASH_AFTER_STREET, '$1, ');
  return { name: name.replace(DASH_AFTER_STREET, '$1, ').split(', ')[0] ?? name, address };
}

/** `Music 110`, `Room 4`: the second half of a name, and no street. */
function isRoom(rest: string): boolean {
  return ROOM.test(rest) || (NAME_AND_LARGE_NUMBER.test(rest) && !ENDS_WITH_NUMBER.test(rest));
}

const first = (place: string): string => place.split(/,|\n/)[0]?.trim() ?? place;

export function beginsWithNumber(name: string): boolean {
  return /^\d+\w?\s/.test(name);
}

const LINE_TAG = /<(?:br|\/p|\/div)\s{0,5}\/?>/gi;
const IN_BRACKETS = /^([^()\n]{2,200}?)\s*\(([^()\n]{5,500})\)$/;
const DASH_BEFORE_STREET = /\s[–—-]\s(?=\d+\w?\s\p{L})/u;
const DASH_AFTER_STREET = /^(\d+\w?\s[^,\n]{2,100}?)\s[–—-]\s(?=\p{L})/u;
/** Of languages that write the number behind the street: its last word says that it is one. */
const ENDS_WITH_NUMBER =
  /^[^,\n]*(?:stra(?:ß|ss)e|(?<=\p{L})str\.|weg|platz|gasse|allee|damm|ufer|chaussee|straat|laan|plein|gade|vej|gatan|vägen|veien|katu|tie)\s\d{1,4}\s?[a-z]?$/iu;
const NAME_AND_NUMBER = /^\p{L}[^,\n]*\s\d{1,4}\s?[a-z]?$/iu;
const POSTCODE_AND_TOWN = /^\d{5}\s\p{L}[^,\d\n]*$/u;
const ROOM = /^(?:room|rm\.?|suite|ste\.?|floor|level|raum|zimmer|saal|etage|stock|salle|étage|sala|planta|zaal)\s\w{1,6}$/iu;
const NAME_AND_LARGE_NUMBER = /^\p{L}[^,\d\n]*\s\d{3}[a-z]?$/iu;
