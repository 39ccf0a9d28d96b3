/** Text as it is compared: small letters without accents, one kind of digit, dash, apostrophe and blank. */

export function folded(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[øæœłđßı]/g, (letter) => LETTERS[letter] ?? letter)
      .replace(/[\u2010-\u2015\u2212\u2192~\u301c\uff5e]/g, '-')
      // Italian has the sign of degrees for the letter of an ordinal.
      .replace(/(?<=\d)°/g, 'o')
      .replace(/['’‘ʼ`]/g, ' ')
      .replace(/[٠-٩۰-۹०-९]/g, (digit) => String((digit.codePointAt(0) ?? 0) - zeroOf(digit)))
  );
}

/** The zero of the block of a digit: Arabic, Persian, Devanagari. */
const zeroOf = (digit: string): number => ['०', '۰', '٠'].find((zero) => zero <= digit)?.codePointAt(0) ?? 0;

/** Letters with a sign that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ß: 'ss', ı: 'i' };
