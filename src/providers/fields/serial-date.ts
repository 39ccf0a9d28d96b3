/** Dates of spreadsheets: days since the end of 1899, the time of day as a fraction (ECMA-376 §18.17.4). */

/** `46193` is a day and `46193.833333` a time of it, on a wall clock; also with a decimal comma. Null for anything else. */
export function readSerialDate(text: string): string | null {
  const [, days, fraction] = SERIAL.exec(text.trim()) ?? [];
  if (days === undefined || Number(days) < FIRST_DAY) return null;
  const seconds = Math.round(Number(`0.${fraction ?? '0'}`) * DAY_SECONDS);
  const moment = DAY_ZERO.add({ days: Number(days), seconds });
  return fraction === undefined ? moment.toPlainDate().toString() : moment.toString({ smallestUnit: 'second' });
}

const SERIAL = /^(\d{2,5})(?:[.,](\d{1,15}))?$/;
/** Before it, Excel counts a February 29 that 1900 did not have. */
const FIRST_DAY = 61;
const DAY_ZERO = Temporal.PlainDateTime.from('1899-12-30');
const DAY_SECONDS = 86_400;
