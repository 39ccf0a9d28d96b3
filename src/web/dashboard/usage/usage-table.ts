/** Usage for other programs: `/dashboard/usage.csv?days=30`, with `&key=` that of one key. */

import { Readable } from 'node:stream';
import type { LoaderFunctionArgs } from 'react-router';
import { usageCsv } from '../../../accounts/index.ts';
import { readAskedKey, readOwned } from '../../server/keys.ts';
import { readPeriod } from './period.ts';

export async function loader(page: LoaderFunctionArgs): Promise<Response> {
  const { owner, keys, rooms } = await readOwned(page);
  const asked = readAskedKey(page.request, await keys.list(owner.accountId));
  const { from, to } = readPeriod(page.request, rooms.clocks.limits());
  await rooms.gate.flush();
  const chunks = usageCsv(rooms.store.db, { accountId: owner.accountId, from, to, ...(asked && { keyId: asked.id }) });
  const body = Readable.toWeb(Readable.from(chunks, { objectMode: false }));
  return new Response(body as ReadableStream<Uint8Array>, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Content-Disposition': `attachment; filename="marquee-usage-${asked ? `${asked.id}-` : ''}${from}-${to}.csv"`,
      'Cache-Control': 'private, no-store',
    },
  });
}
