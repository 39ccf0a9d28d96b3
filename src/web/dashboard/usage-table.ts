/** Usage for other programs: `/dashboard/usage.csv?days=30`. */

import { Readable } from 'node:stream';
import type { LoaderFunctionArgs } from 'react-router';
import { usageCsv } from '../../accounts/index.ts';
import { readOwned } from '../server/own-keys.ts';
import { readPeriod } from './usage/period.ts';

export async function loader(page: LoaderFunctionArgs): Promise<Response> {
  const { owner, rooms } = await readOwned(page);
  const { from, to } = readPeriod(page.request, rooms.clocks.limits());
  await rooms.gate.flush();
  const chunks = usageCsv(rooms.store.db, { accountId: owner.accountId, from, to });
  const body = Readable.toWeb(Readable.from(chunks, { objectMode: false }));
  return new Response(body as ReadableStream<Uint8Array>, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="marquee-usage-${from}-${to}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
