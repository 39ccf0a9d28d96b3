/** What the statuses of answers mean to a developer. */

export const formatStatus = (status: number): string => (MEANINGS[status] ? `${status} ${MEANINGS[status]}` : String(status));

const MEANINGS: Readonly<Record<number, string>> = {
  200: 'OK',
  301: 'merged into another id',
  304: 'not modified',
  400: 'invalid parameters',
  402: 'plan not active',
  403: 'needs a higher plan',
  404: 'not found',
  405: 'wrong method',
  406: 'not acceptable',
  410: 'gone',
  499: 'client disconnected',
};
