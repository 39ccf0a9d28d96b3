/** Names of columns and properties that registers use, by what they hold. */

import { addressForm } from '../find-street.ts';
import { readTokens } from '../read-text.ts';
import { foldWord } from '../spelling.ts';
import type { AddressSink } from './address-sink.ts';

export type RegisterField = keyof typeof FIELD_NAMES;
export type RegisterRow = Partial<Record<RegisterField, string>>;

/** A column that holds a field, and at which index it stands. */
interface FieldColumn {
  field: RegisterField;
  index: number;
}

/** The columns or properties that hold a field. Of several for one field, the better name is first: `lat` before `y`. */
export function fieldColumns(names: readonly string[]): FieldColumn[] {
  return names
    .flatMap((name, index) => {
      const found = FIELDS.get(plainName(name));
      return found ? [{ ...found, index }] : [];
    })
    .sort((a, b) => a.rank - b.rank);
}

/** The first cell of each field that is not empty. */
export function rowOf(columns: readonly FieldColumn[], cells: readonly string[]): RegisterRow {
  const row: RegisterRow = {};
  for (const { field, index } of columns) {
    const cell = cells[index] ?? '';
    if (cell.trim() !== '') row[field] ??= cell;
  }
  return row;
}

/**
 * Rows without coordinates, number or street are rejected, but for those that only have a name.
 * @param isExact of the point of what the row names.
 */
export function takeRow(row: RegisterRow, sink: AddressSink, isExact = true): void {
  const [latitude, longitude] = [degreesOf(row.latitude), degreesOf(row.longitude)];
  if (latitude === null || longitude === null) {
    sink.reject('a row has no coordinates');
    return;
  }
  const whole = (row.number ?? '').trim() === '' ? splitAddress(row.street || row.address || '') : null;
  const number = whole?.number ?? numberWith(row.number ?? '', row.suffix ?? '');
  const street = whole?.street ?? [row.before, row.street ?? row.address, row.kind].filter((part) => part).join(' ');
  const address = { number, street, town: row.town ?? '', latitude, longitude };
  if (row.name !== undefined) sink.name({ ...address, name: row.name, isExact });
  if (row.name === undefined || number !== '' || street !== '') sink.house({ ...address, postcode: row.postcode ?? '' });
}

/** `12` and `bis`, or `12` and `1/2`. */
const numberWith = (number: string, suffix: string): string => (/^\s*\d/.test(suffix) ? `${number} ${suffix}` : number + suffix);

/** `12 Main St`, `Hauptstr. 12a`: the number and the street of a whole address. */
function splitAddress(text: string): { number: string; street: string } | null {
  const tokens = readTokens(text);
  const form = addressForm(tokens);
  const [first] = tokens;
  if (form) {
    const at = form.start < form.nameStart ? form.start : form.nameEnd;
    const number = tokens.slice(at, form.start < form.nameStart ? form.nameStart : form.end).map(({ folded }) => folded);
    return {
      number: number.join(' '),
      street: tokens
        .slice(form.nameStart, form.nameEnd)
        .map(({ folded }) => folded)
        .join(' '),
    };
  }
  if (first?.kind !== 'number') return null;
  const street = tokens.filter(({ segment }, index) => index > 0 && segment === first.segment).map(({ folded }) => folded);
  return { number: first.folded, street: street.join(' ') };
}

/** Also with a decimal comma. */
function degreesOf(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const degrees = Number(text.trim().replace(',', '.'));
  return Number.isFinite(degrees) ? degrees : null;
}

/** Of each field, better names come first. */
const FIELD_NAMES = {
  number: `number housenumber house_number house_no houseno nr hausnummer hausnr hnr numero num street_number streetnumber addrhousenumber
    addressnumber add_number addr_num stnumber huisnummer civico numerocivico housenum`,
  suffix: 'suffix rep numbersuffix hausnummerzusatz hsnrzus zusatz huisletter addnumsuf indicerep',
  before: 'predir streetpredirection stpredir typevoie',
  street: `street streetname street_name strasse strassenname str rue nomvoie nom_voie voie road addrstreet via calle straat openbareruimte
    nombrevia fullstreet fullname streetfull stname nomvia`,
  kind: 'streettype street_type posttype stpostyp sttype streetsuffix',
  town: 'city town ort gemeinde stadt commune nomcommune nom_commune municipality addrcity locality comune ciudad municipio plaats woonplaats postcomm placename',
  postcode: 'postcode postal_code postalcode zip zipcode plz codepostal code_postal addrpostcode cap cp codigopostal',
  latitude: 'lat latitude y breite breitengrad wgs84lat latitud',
  longitude: 'lon lng long longitude x lange langengrad wgs84lon longitud',
  name: `name sitename site_name buildingname building_name facility facilityname facility_name landmark poi objektname gebaude gebaudename
    bezeichnung bezeichnung_objekt nom nombre nome naam officialname`,
  address: 'address adresse fulladdress full_address addr indirizzo direccion adres anschrift',
} as const;

const plainName = (name: string): string => foldWord(name).replaceAll(/[^a-z0-9]/g, '');

const FIELDS: ReadonlyMap<string, { field: RegisterField; rank: number }> = new Map(
  (Object.entries(FIELD_NAMES) as [RegisterField, string][]).flatMap(([field, names]) =>
    names.split(/\s+/).map((name, rank) => [plainName(name), { field, rank }] as const),
  ),
);
