/** Reads the few XML documents that S3 answers with: elements without attributes, one in the other. */

/** What stands in each element of this name. */
export function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner);
}

/** The text of the first such element, or nothing. */
export const textOf = (xml: string, name: string): string => unescapeXml(textsOf(xml, name)[0] ?? '');

export const escapeXml = (text: string): string => text.replace(/[&<>]/g, (letter) => ESCAPES[letter] ?? letter);

const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|#39|#34);/g, (_, name: string) => XML_CHARACTERS[name] ?? '');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const XML_CHARACTERS: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ '#39': "'", '#34': '"' },
};
