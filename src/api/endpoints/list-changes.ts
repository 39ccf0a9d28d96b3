/** `GET /changes`: the log of everything that changes in the directory, for copies that are kept in step (decisions §5 and §6). */

import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  anyOf,
  chooseEvents,
  cursorParameter,
  datesOf,
  type EventChoice,
  eventFilters,
  filterConflicts,
  formatChange,
  formatCursor,
  formatLeft,
  pageLimit,
  wholeNumber,
} from '../../query/index.ts';
import type { ChangeKind } from '../../records/index.ts';
import { type ChangePage, LogUnavailableError, type Snapshot } from '../../search/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { type Ask, defineRoute, type RouteOutcome, unlessUnavailable } from '../route.ts';

const ENTITIES = ['event', 'venue', 'neighborhood'] as const;
const KINDS = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] as const;

/** Proxies give an answer thirty seconds. */
const MAX_WAIT_SECONDS = 25;

const parameters = {
  after: cursorParameter('The cursor `meta.next` of the previous page. Default: the beginning of the log.'),
  limit: pageLimit(100, 1000, { echoed: false }),
  entity: anyOf(ENTITIES, 'Kinds of records; several separated by commas. Default: all. With filters of events: `event`.'),
  kind: anyOf(KINDS, 'Kinds of changes; several separated by commas; `any` for all. Default: all but `scored`.', 'any'),
  wait: wholeNumber(0, MAX_WAIT_SECONDS, 0, 'Seconds to wait for the next change when there is none yet.'),
  ...eventFilters,
};

export const listChanges = defineRoute({
  path: '/changes',
  operationId: 'listChanges',
  tier: 'enterprise',
  metered: true,
  summary: 'Everything that changes, in order',
  description:
    'A numbered log without gaps. Each change carries the record as it is now, so whoever applies the pages in order ends with what the directory is.',
  parameters,
  conflicts: (values, now) => filterConflicts(datesOf(values), now),
  statuses: [410],
  answers: ['ChangeList'],
  answer: unlessUnavailable(LogUnavailableError, 'the change log', answer),
});

async function answer(ask: Ask<typeof parameters>): Promise<RouteOutcome> {
  const { now, values, changes, current, hasLeft, publicUrl } = ask;
  const choice = chooseEvents(values, now);
  const deadline = performance.now() + values.wait * 1000;
  const kinds: readonly ChangeKind[] = values.kind ?? DEFAULT_KINDS;
  const query = {
    limit: values.limit,
    entities: choice ? EVENTS_ALONE : (values.entity ?? ENTITIES),
    kinds: choice ? withLeaving(kinds) : kinds,
    heldOnly: choice !== null,
  };
  for (let after = values.after?.sequence ?? 0; ; ) {
    const snapshot = current();
    const page = await changes.read({ ...query, after, snapshot });
    if (values.after && (page.epoch !== values.after.epoch || after > page.head)) return resync(ask, page, 'without after');
    const rows = formatRows(page, { snapshot, choice, kinds, publicUrl });
    const leftMs = deadline - performance.now();
    if (rows.length > 0 || leftMs <= 0 || hasLeft()) return toData(rows, page, snapshot, values.when !== undefined);
    after = page.reached;
    if (!page.hasMore) await waitForMore(ask, page, leftMs);
  }
}

async function waitForMore(
  { changes, hasLeft }: Ask<typeof parameters>,
  { reached, head }: ChangePage,
  leftMs: number,
): Promise<void> {
  // What is there already and not in the page waits for the next snapshot, which is on its way.
  if (reached < head) await delay(Math.min(leftMs, SNAPSHOT_POLL_MS));
  else await changes.waitBeyond(reached, leftMs, hasLeft);
}

/** By these changes, too, an event may leave a choice: then it is told as removed. */
function withLeaving(kinds: readonly ChangeKind[]): readonly ChangeKind[] {
  return kinds.includes('removed') ? [...new Set([...kinds, ...LEAVING_KINDS])] : kinds;
}

/** The changes of a page that the caller asked for, as JSON. */
function formatRows({ changes }: ChangePage, { snapshot, choice, kinds, publicUrl }: AskedRows): string[] {
  const context = { city: createCityTime(snapshot.city.timezone), publicUrl };
  return changes.flatMap((change) => {
    const seen = choice ? choice.sees(change, snapshot) : 'record';
    if (seen === 'left') return formatLeft(change, context);
    return seen === 'record' && kinds.includes(change.kind) ? formatChange(change, context) : [];
  });
}

interface AskedRows {
  snapshot: Snapshot;
  choice: EventChoice | null;
  kinds: readonly ChangeKind[];
  publicUrl: string;
}

/** `moves`: with the clock, other events are among those that the caller asked for. */
function toData(rows: readonly string[], page: ChangePage, { seq }: Snapshot, moves: boolean): RouteOutcome {
  const { epoch, head, reached, hasMore } = page;
  const meta = JSON.stringify({ next: formatCursor({ epoch, sequence: reached }), hasMore, head, epoch });
  const body = Buffer.from(`{"data":[${rows.join(',')}],"meta":${meta}}`);
  // A full page of events stays as it is until the next snapshot. A venue counts what is upcoming, which moves with the clock.
  const isSteady = !moves && hasMore && reached <= seq && page.changes.every(({ entity }) => entity === 'event');
  return {
    kind: 'data',
    tag: hash('sha1', body, 'base64url'),
    ...(isSteady && { until: Number.POSITIVE_INFINITY }),
    body: () => body,
  };
}

/** `restart`: how to ask from the beginning. */
export async function resync(
  { exports, caller, publicUrl }: Pick<Ask<never>, 'exports' | 'caller' | 'publicUrl'>,
  { epoch, head }: ChangePage,
  restart: string,
): Promise<RouteOutcome> {
  // Without exports the log says the same, in more pages.
  const id = await exports.newestFull(caller.accountId, epoch).catch(() => null);
  const detail = `the cursor belongs to another history of the directory; read the log from the beginning, ${restart}`;
  const members = { head, ...(id !== null && { fullExport: `${publicUrl}/api/v1/exports/${id}` }) };
  return { kind: 'problem', problem: { code: 'resync', detail, members } };
}

const EVENTS_ALONE = ['event'] as const;
const DEFAULT_KINDS = KINDS.filter((kind) => kind !== 'scored');
const LEAVING_KINDS = ['updated', 'cancelled', 'rescheduled'] as const;
const SNAPSHOT_POLL_MS = 100;
