/** `MARQUEE_GEOCODER`: the address of a Nominatim or Photon service, with its kind before the address. */

export interface GeocoderAddress {
  kind: (typeof GEOCODER_KINDS)[number];
  /** Of the service; it ends with `/`. */
  url: string;
}

/** A text says what is wrong. It repeats neither user nor password. */
export function parseGeocoderAddress(text: string): GeocoderAddress | string {
  const [, kind, address = ''] = FORM.exec(text) ?? [];
  const known = GEOCODER_KINDS.find((each) => each === kind?.toLowerCase());
  if (known === undefined) return `${WANTED}, but it is ${JSON.stringify(text.replace(/[^/]*@/, '…@').slice(0, MAX_PRINTED))}`;
  const url = URL.parse(address);
  if (!url || url.hostname === '') return `${WANTED}, but its address is none`;
  if (url.username !== '' || url.password !== '') return `${WANTED}, without user and password`;
  if (url.search !== '' || url.hash !== '') return `${WANTED}, without a query`;
  url.search = '';
  url.pathname = url.pathname.replace(DOORS[known], '').replace(/\/*$/, '/');
  return { kind: known, url: url.href };
}

const GEOCODER_KINDS = ['nominatim', 'photon'] as const;
const FORM = /^([a-z]+)\+(https?:\/\/.+)$/i;
/** The ways that requests are sent to: operators copy them with the address. */
const DOORS: Readonly<Record<GeocoderAddress['kind'], RegExp>> = {
  nominatim: /\/search(?:\.php)?\/?$/,
  photon: /\/api\/?$/,
};
const WANTED =
  'MARQUEE_GEOCODER must be the kind of the service and its address, such as nominatim+https://nominatim.example.org/ or photon+http://127.0.0.1:2322/';
const MAX_PRINTED = 80;
