/** `GET /changes/checksum`: sums by which a copy of the directory proves that it is equal, or finds where it is not. */

import { setTimeout as delay } from 'node:timers/promises';
import { oneOf, wholeNumber } from '../../query/index.ts';
import { CHECKSUM_KINDS, LogUnavailableError } from '../../search/index.ts';
import { type Ask, defineRoute, type RouteOutcome, unlessUnavailable } from '../route.ts';

const parameters = {
  entity: oneOf(CHECKSUM_KINDS, 'event', 'Kind of records.'),
  at: wholeNumber(
    0,
    Number.MAX_SAFE_INTEGER,
    0,
    'The sequence that the copy has reached: the answer waits for it up to 5 seconds.',
  ),
};

export const getChecksums = defineRoute({
  path: '/changes/checksum',
  operationId: 'getChecksums',
  tier: 'enterprise',
  metered: true,
  summary: 'Checksums to compare with a copy',
  description:
    'Of each record the first 64 bits of the SHA-1 of its bytes (a venue without its last member, `upcomingEventCount`), summed modulo 2^64 by the last byte of its id. Valid at `sequence`.',
  parameters,
  answers: ['Checksums'],
  answer: unlessUnavailable(LogUnavailableError, 'the change log', answer),
});

async function answer({ values: { entity, at }, changes, current, hasLeft }: Ask<typeof parameters>): Promise<RouteOutcome> {
  // What the log does not reach is not waited for.
  const deadline = performance.now() + (current().seq < at && at <= (await changes.state()).head ? MAX_WAIT_MS : 0);
  while (current().seq < at && performance.now() < deadline && !hasLeft()) await delay(SNAPSHOT_POLL_MS);
  const snapshot = current();
  const { records, ranges } = snapshot.checksums(entity);
  const sums = Array.from(ranges, (sum) => sum.toString(16).padStart(16, '0'));
  const data = { entity, sequence: snapshot.seq, records, ranges: sums };
  return { kind: 'data', tag: null, body: () => Buffer.from(JSON.stringify({ data })) };
}

const MAX_WAIT_MS = 5000;
const SNAPSHOT_POLL_MS = 100;
