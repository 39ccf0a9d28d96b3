/** Text as it is compared: small letters without accents, one kind of dash, apostrophe and blank. */

export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212\u2192]/g, '-')
    .replace(/['’‘ʼ`]/g, ' ');
}
