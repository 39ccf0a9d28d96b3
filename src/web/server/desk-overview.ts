/** The first page of the desk: what waits for an operator, and how the directory does. */

import type { RouterContextProvider } from 'react-router';
import { listAudit } from '../../accounts/index.ts';
import { createRequests } from '../../billing/index.ts';
import { CONDITIONS, countCandidates, type OverseenSource, overseeSources, readRunLines } from '../../ingest/index.ts';
import { countOutOfLists, readLastChanges } from '../../records/index.ts';
import { countOpenReports } from '../../reports/index.ts';
import { TRENDING_REASONS, whyNothingTrends } from '../../search/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { momentsOf } from './desk.ts';
import { viewRun } from './desk-sources.ts';
import { type Rooms, rooms as roomsContext } from './rooms.ts';

export interface Need {
  to: string;
  kind: 'warn' | 'bad' | 'plain';
  title: string;
  text: string;
}

export async function readOverview(context: Readonly<RouterContextProvider>) {
  const rooms = context.get(roomsContext);
  const { store, clocks } = rooms;
  const now = clocks.directory();
  const moments = momentsOf(rooms);
  const [sources, queue, reports, requests, outOfLists, changes, runs, audit, status] = await Promise.all([
    overseeSources({ store, now }),
    countCandidates({ store }),
    countOpenReports(store.db),
    createRequests({ db: store.db, now: clocks.directory }).waiting(),
    countOutOfLists({ store, now }),
    readLastChanges({ store }),
    readRunLines({ store, limit: 8 }),
    listAudit(store.db, { limit: 8 }),
    rooms.status(),
  ]);
  const isDamaged = status.parts.some(({ state }) => state === 'damaged');
  return {
    needs: [
      ...(isDamaged ? [DAMAGE] : []),
      ...sources.flatMap(needOf),
      ...(queue.total > 0
        ? [need('/desk/review', 'plain', count(queue.total, 'open question', queue.isMore), 'Listings that may be the same')]
        : []),
      ...(reports > 0
        ? [need('/desk/reports', 'plain', count(reports, 'open report', false), 'Problems that readers found')]
        : []),
      ...(requests.length > 0
        ? [need('/desk/requests', 'plain', count(requests.length, 'plan request', false), 'Waiting for your decision')]
        : []),
    ],
    conditions: CONDITIONS.map((name) => ({
      name,
      count: sources.filter(({ condition }) => condition === name).length,
    })).filter(({ count }) => count > 0),
    directory: { ...countListed(rooms, now), ...outOfLists },
    nothingTrends: describeTrends(rooms, now),
    changes: changes.map(({ at, kind, entity, id, title }, i) => ({
      key: i,
      kind,
      entity,
      title: title ?? entity,
      to: id && (entity === 'event' || entity === 'venue') ? `/desk/${entity}s/${id}` : null,
      at: moments.format(at),
    })),
    runs: runs.map((run) => viewRun(run, moments)),
    acts: audit.rows.map(({ id, actor, action, at }) => ({ id, actor, action, at: moments.format(at.getTime()) })),
  };
}

function needOf({ id, name, condition, lastError }: OverseenSource): Need[] {
  const to = `/desk/sources/${id}`;
  if (condition === 'held')
    return [need(to, 'warn', `${name} is on hold`, lastError ?? 'Its last response is waiting for your decision')];
  if (condition === 'failing') return [need(to, 'bad', `${name} cannot be read`, lastError ?? '')];
  if (condition === 'empty')
    return [need(to, 'warn', `${name} has listed nothing lately`, 'It is read, but has no events to come. Check its location.')];
  if (condition === 'late')
    return [need(to, 'warn', `${name} is late`, 'Two scheduled runs in a row did not read it completely')];
  return [];
}

/** `1 open question`, `300 or more open questions`. */
function count(number: number, what: string, isMore: boolean): string {
  return `${number}${isMore ? ' or more' : ''} ${what}${number === 1 ? '' : 's'}`;
}

const need = (to: string, kind: Need['kind'], title: string, text: string): Need => ({ to, kind, title, text });

/** Why `GET /trending` is empty; null while it is not. */
function describeTrends({ search }: Rooms, now: number): string | null {
  const reason = whyNothingTrends(search.current(), now);
  return reason && TRENDING_REASONS[reason];
}

function countListed({ search }: Rooms, now: number) {
  const snapshot = search.current();
  const all = { from: now, to: Number.POSITIVE_INFINITY, limit: 1, offset: 0 };
  return {
    listed: snapshot.events(all).total,
    cancelledSoon: snapshot.events({ ...all, to: now + SOON_MS, statuses: ['cancelled'] }).total,
    venues: snapshot.venues({ limit: 1, offset: 0 }, now).total,
  };
}

const DAMAGE = need(
  '/status',
  'bad',
  'The database is damaged',
  'Run marquee doctor --deep: it lists what is damaged. Repair it, or restore a backup, as docs/operations.md says',
);
const SOON_MS = 7 * DAY_MS;
