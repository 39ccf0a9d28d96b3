/** A moment in UTC, alike on the server and in every browser. */
export function Moment({ at, day = false }: { at: Date; day?: boolean }) {
  const text = (day ? DAY : MINUTE).format(at);
  return <time dateTime={at.toISOString()}>{day ? text : `${text} UTC`}</time>;
}

const DATE = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
const DAY = new Intl.DateTimeFormat('en-GB', DATE);
const MINUTE = new Intl.DateTimeFormat('en-GB', { ...DATE, hour: '2-digit', minute: '2-digit' });
