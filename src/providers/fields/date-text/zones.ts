/** Time zones beside a time: `EDT`, `HAE`, `UTC−4`, `GMT+02:00`. */

/** Folded abbreviations, each with its offset or the IANA zone that decides between winter and summer. */
const ZONES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  z: 'Z',
  utc: 'Z',
  gmt: 'Z',
  ndt: '-02:30',
  nst: '-03:30',
  adt: '-03:00',
  haa: '-03:00',
  ast: '-04:00',
  hna: '-04:00',
  edt: '-04:00',
  hae: '-04:00',
  est: '-05:00',
  hne: '-05:00',
  cdt: '-05:00',
  hac: '-05:00',
  hnc: '-06:00',
  mdt: '-06:00',
  har: '-06:00',
  mst: '-07:00',
  hnr: '-07:00',
  pdt: '-07:00',
  hap: '-07:00',
  pst: '-08:00',
  hnp: '-08:00',
  akdt: '-08:00',
  akst: '-09:00',
  hst: '-10:00',
  wet: '+00:00',
  west: '+01:00',
  bst: '+01:00',
  cet: '+01:00',
  mez: '+01:00',
  cest: '+02:00',
  mesz: '+02:00',
  hec: '+01:00',
  eet: '+02:00',
  eest: '+03:00',
  msk: '+03:00',
  brt: '-03:00',
  aest: '+10:00',
  aedt: '+11:00',
  nzst: '+12:00',
  nzdt: '+13:00',
  jst: '+09:00',
  et: 'America/New_York',
  ct: 'America/Chicago',
  mt: 'America/Denver',
  pt: 'America/Los_Angeles',
};

/** `Z`, an offset or an IANA zone; null for a word that is no zone. */
export function zoneOfWord(word: string): string | null {
  return ZONES[word] ?? null;
}

/** The words after which an offset may follow. */
export const isUtc = (word: string): boolean => word === 'utc' || word === 'gmt';

/** The offset that a wall clock has; null for an hour that no clock shows there. */
export function offsetAt(zone: string, local: string): string | null {
  if (zone === 'Z' || /^[+-]/.test(zone)) return zone;
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'reject' }).offset;
  } catch {
    return null;
  }
}
