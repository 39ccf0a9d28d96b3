/**
 * Amounts of money as people write them: `$12.50`, `1.250,00 €`, `CHF 1’250.–`, `150 kr`, `12€50`. Patterns to build on, and their
 * reader. All expect text that `plainMoney` has made plain.
 */

/** One kind of blank, dash and apostrophe. */
export function plainMoney(text: string): string {
  return text
    .replace(/[\u00a0\u202f\u2007\u2009]/g, ' ')
    .replace(/[\u2012-\u2015\u2212]/g, '-')
    .replace(/[’ʼ`´]/g, "'")
    .replace(EURO_CENTS, '$1,$2€')
    .replace(CENTS, (_, cents: string) => `$0.${cents.padStart(2, '0')}`)
    .replace(NO_WHOLE, '0$&')
    .replace(THOUSANDS, (_, whole: string, part = '0') => `${whole}${part}00`);
}

/** `1,250.00`, `1.250,00`, `1 250`, `38,27`, `1,00,000`: three digits after the last sign are thousands, but not of dinars. */
export function readMoneyNumber(text: string, currency = ''): number {
  const point = (THREE_DECIMALS.test(currency) ? /[.,](?=\d{1,3}$)/ : /[.,](?=\d{1,2}$)/).exec(text);
  const whole = (point ? text.slice(0, point.index) : text).replace(/\D/g, '');
  return Number(point ? `${whole}.${text.slice(point.index + 1)}` : whole);
}

/** A number with thousands and decimals, in any of the usual ways. */
export const MONEY_NUMBER =
  "\\d{1,3}(?:[., ']\\d{3})+(?:[.,]\\d{1,2})?(?!\\d)|\\d{1,2}(?:,\\d{2})+,\\d{3}(?:\\.\\d{1,2})?(?!\\d)|\\d+(?:[.,]\\d{1,2})?(?!\\d)";
/** No cents: `10,-`, `20.–`, `150:-`, `25.--`. */
export const NO_CENTS = '[.,:]-{1,2}(?!\\s?\\d)';

/** ISO 4217, and what it had before. */
const CODES = Intl.supportedValuesOf('currency');
/** Codes that are English words count only if there is nothing but an amount beside them: `21 ALL AGES`. */
const WORDS = new Set(['ALL', 'TOP', 'TRY', 'CUP', 'MAD', 'PEN', 'GEL', 'BAM', 'COP', 'MOP', 'SOS', 'LAK', 'ZAR', 'RON']);
const SURE = `(?-i:(?=[A-Z]{3})(?:${CODES.filter((code) => !WORDS.has(code)).join('|')}))`;
const COMMON = 'usd|eur|gbp|cad|aud|nzd|chf|sek|nok|dkk|isk|pln|czk|huf|jpy|mxn|brl';
const SYMBOL = '(?-i:(?<!\\p{L})[A-Z]{1,3})?\\p{Sc}';

/** Before an amount. For patterns with the flags `iu`. */
export const CURRENCY_BEFORE = `${SYMBOL}(?:\\s?(?-i:US|CAN?|AU)(?!\\p{L}))?|(?<!\\p{L})(?:${SURE}|${COMMON}|s?fr\\.?|kr\\.?|rs\\.?|(?-i:RM|Rp\\.?|Ft|Kc|zl|lei)|лв\\.?|руб\\.?|円|원)`;
/** Behind an amount. */
export const CURRENCY_AFTER = `(?:${SURE}|${COMMON}|s?fr\\.?|kr\\.?|rs|k[cč]|z[lł]|(?-i:RM|Ft|TL|E)|лв|руб|euros?|dollars?|bucks|pounds?|quid|pesos?|reais|kronor|kroner|kr[oó]nur|z[lł]ot\\p{L}*|forint|korun\\p{L}*|francs?|franken|lei|leva|yen|rubles?|rupees?)(?!\\p{L})\\.?|[円원]|${SYMBOL.replace('(?<!\\p{L})', '')}(?:\\s?(?-i:US|CAN?|AU)(?!\\p{L}))?(?!\\s?\\d)|€`;

/** All currencies, beside nothing but an amount. */
export const ANY_CODE = `(?-i:${CODES.join('|')})`;

const THREE_DECIMALS = /^(?:BHD|IQD|JOD|KWD|LYD|OMR|TND)$/;
/** `12€50`, `12 € 50`. */
const EURO_CENTS = /(?<![\d.,])(\d{1,4})(?:\s€\s|€)(\d{2})(?=\s*(?:$|[,;/|)]))/g;
/** `50¢`, `50 cents`. */
const CENTS = /(?<![\d.,])(\d{1,2})\s?(?:¢|cents(?!\p{L}))/gu;
/** `$.50` */
const NO_WHOLE = /(?<=\p{Sc}\s?)\.\d{2}(?!\d)/gu;
/** `$1.5k`, `€2K`. */
const THOUSANDS = /(?<=\p{Sc}\s?)(\d{1,4})(?:[.,](\d))?\s?[kK](?![\p{L}\p{N}])/gu;
