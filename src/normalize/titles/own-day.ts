/** The day of an event in its title, which tells nothing that its start does not. */

/** `6/19 Planting Friday` or `Tango Night 06/19`, when that is its day as the locale writes it; anything else is returned as it is. */
export function cutOwnDay(title: string, localStart: string, locale: string): string {
  return PATTERNS.reduce((left, pattern) => {
    const match = pattern.exec(left);
    if (!match) return left;
    const rest = left.slice(0, match.index) + left.slice(match.index + match[0].length);
    const said = [Number(match[1]), Number(match[2])];
    const [month, day] = [Number(localStart.slice(5, 7)), Number(localStart.slice(8, 10))];
    const isOwn = saysMonthFirst(locale) ? said[0] === month && said[1] === day : said[0] === day && said[1] === month;
    const isOwnYear = match[3] === undefined || localStart.slice(0, 4).endsWith(match[3]);
    return isOwn && isOwnYear && (rest.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS ? rest : left;
  }, title);
}

/** Whether the locale writes the month before the day in figures. */
export function saysMonthFirst(locale: string): boolean {
  const parts = new Intl.DateTimeFormat(locale, { month: 'numeric', day: 'numeric' }).formatToParts(0);
  return parts.find(({ type }) => type === 'month' || type === 'day')?.type === 'month';
}

const DAY = '(\\d{1,2})\\/(\\d{1,2})(?:\\/(\\d{4}|\\d{2}))?';
const PATTERNS: readonly RegExp[] = [
  new RegExp(`^\\(?${DAY}\\)?\\s*[-–—:|]?\\s+`, 'u'),
  new RegExp(`\\s*[-–—:|,]?\\s+[([]?${DAY}[)\\]]?$`, 'u'),
];
const MIN_LETTERS = 4;
