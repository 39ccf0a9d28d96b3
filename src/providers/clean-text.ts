/** From HTML, or text that went through a page template, to plain text. */

/** Entities decoded (twice at most, as many feeds encode twice), tags gone, runs of blanks made one. Line breaks stay. */
export function plainText(html: string): string {
  const breaks = html.replace(/<(?:br|\/p|\/div|\/li|\/h[1-6])\b[^<>]{0,1000}>/gi, '\n');
  const decoded = decodeEntities(decodeEntities(stripTags(breaks)));
  return stripTags(decoded)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function stripTags(text: string): string {
  return text.replace(/<\/?[a-z][^<>]{0,1000}>|<!--[^>]{0,1000}-->/gi, '');
}

/** HTML, "Named character references": those that listings use, and all numeric ones. What is unknown stays as written. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal !== undefined ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16);
    return isPrintable(code) ? String.fromCodePoint(code) : '';
  });
}

function isPrintable(code: number): boolean {
  if (code === 0x0a || code === 0x09) return true;
  return code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code < 0xa0) && !(code >= 0xd800 && code < 0xe000);
}

const ENTITIES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  reg: '®',
  copy: '©',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  deg: '°',
  euro: '€',
  pound: '£',
  iexcl: '¡',
  iquest: '¿',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  aacute: 'á',
  iacute: 'í',
  oacute: 'ó',
  uacute: 'ú',
  ntilde: 'ñ',
  ccedil: 'ç',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  Eacute: 'É',
  Ntilde: 'Ñ',
  szlig: 'ß',
};
