/** `MARQUEE_GEOCODER`: the address of a Nominatim or Photon service, with its kind before the address. */

export interface GeocoderAddress {
  kind: (typeof GEOCODER_KINDS)[number];
  /** Of the service; it ends with `/`. */
  url: string;
}

/** A text says what is wrong. Of the setting it repeats at most the host: the rest may hold a key or a password. */
export function parseGeocoderAddress(text: string): GeocoderAddress | string {
  const [, kind, address = ''] = FORM.exec(text) ?? [];
  const known = GEOCODER_KINDS.find((each) => each === kind?.toLowerCase());
  if (known === undefined) return `${WANTED}, but it is ${shownOf(text)}`;
  const url = URL.parse(address);
  if (!url || url.hostname === '') return `${WANTED}, but its address is none`;
  if (url.username !== '' || url.password !== '') return `${WANTED}, without user and password`;
  if (url.search !== '' || url.hash !== '') return `${WANTED}, without a query`;
  url.search = '';
  url.pathname = url.pathname.replace(DOORS[known], '').replace(/\/*$/, '/');
  return { kind: known, url: url.href };
}

/** The scheme and the host. With an `@`, neither: nobody can tell where a password ends. */
function shownOf(text: string): string {
  const [, scheme, rest = ''] = SCHEME.exec(text) ?? [];
  const host = rest.includes('@') ? '' : (URL.parse(`http://${rest}`)?.host ?? '');
  return scheme === undefined || host === '' ? 'of another form' : `${scheme}://${host}…`;
}

const GEOCODER_KINDS = ['nominatim', 'photon'] as const;
const FORM = /^([a-z]+)\+(https?:\/\/.+)$/i;
const SCHEME = /^([a-z][a-z\d+.-]{0,30}):\/\/(.+)$/i;
/** The ways that requests are sent to: operators copy them with the address. */
const DOORS: Readonly<Record<GeocoderAddress['kind'], RegExp>> = {
  nominatim: /\/search(?:\.php)?\/?$/,
  photon: /\/api\/?$/,
};
const WANTED =
  'MARQUEE_GEOCODER must be the kind of the service and its address, such as nominatim+https://nominatim.example.org/ or photon+http://127.0.0.1:2322/';
