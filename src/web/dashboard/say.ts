/** Words of the dashboard for numbers and moments; all of them UTC, as the limits are. */

import { sayAge } from '../design/when.ts';

export const sayNumber = (value: number): string => value.toLocaleString('en');
export const sayRequests = (value: number): string => `${sayNumber(value)} ${value === 1 ? 'request' : 'requests'}`;
/** `21 Nov 2026` */
export const sayDay = (moment: Date | number): string => DAY.format(moment);
/** `21 Nov, 14:05 UTC` */
export const sayMoment = (moment: Date | number): string => `${MOMENT.format(moment)} UTC`;
/** `14:05 UTC` */
export const sayTime = (moment: Date | number): string => `${TIME.format(moment)} UTC`;
/** `21 Nov, 14:00` */
export const sayHour = (moment: number): string => MOMENT.format(moment);
/** Below an hour's bar: at midnight the day, at noon the hour. */
export function tickOf(moment: number): string {
  const hour = new Date(moment).getUTCHours();
  return hour === 0 ? SHORT_DAY.format(moment) : hour === 12 ? '12:00' : '';
}
/** `21 Nov` of `2026-11-21` */
export const sayDate = (date: string): string => SHORT_DAY.format(new Date(`${date}T00:00:00Z`));
/** `3 hours ago`, or `never`. */
export const sayAgo = (moment: Date | null, now: number): string =>
  moment === null ? 'never' : now - moment.getTime() < 60_000 ? 'just now' : `${sayAge(now - moment.getTime())} ago`;
/** `/api/v1/events/{id}` as a reader knows it. */
export const sayEndpoint = (endpoint: string): string =>
  endpoint === '/api/v1/*' ? 'addresses where nothing is' : endpoint.replace('/api/v1', '');

const UTC = { timeZone: 'UTC', hourCycle: 'h23' } as const;
const DAY = new Intl.DateTimeFormat('en-GB', { ...UTC, day: 'numeric', month: 'short', year: 'numeric' });
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { ...UTC, day: 'numeric', month: 'short' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { ...UTC, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const TIME = new Intl.DateTimeFormat('en-GB', { ...UTC, hour: '2-digit', minute: '2-digit' });
