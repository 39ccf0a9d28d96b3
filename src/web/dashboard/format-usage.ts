/** Words of the dashboard for numbers and moments. */

import { formatAge, formatNumber } from '../model/format.ts';

export const formatRequests = (value: number): string => `${formatNumber(value)} ${value === 1 ? 'request' : 'requests'}`;
/** `3 hours ago`, or `never`. */
export const formatAgo = (moment: Date | null, now: number): string =>
  moment === null ? 'never' : now - moment.getTime() < 60_000 ? 'just now' : `${formatAge(now - moment.getTime())} ago`;
/** `/api/v1/events/{id}` as a reader knows it. */
export const formatEndpoint = (endpoint: string): string =>
  endpoint === '/api/v1/*' ? 'unknown paths' : endpoint.replace('/api/v1', '');
