/** `overseeSources`: how each source does, in one word, and what comes next. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { listSources, type Source } from './sources/sources.ts';
import { type RunLine, readLastRuns } from './stored-runs/read-runs.ts';

/** From what needs a person to what needs nobody. */
export const CONDITIONS = ['held', 'failing', 'late', 'empty', 'running', 'waiting', 'new', 'paused', 'well'] as const;

/**
 * `held`: its last answer waits for an operator's word. `failing`: it could not be read, and is asked again later. `late`: not read whole
 * for longer than it should be. `empty`: it is read, and has listed nothing for two of its intervals. `waiting`: somebody asked for a run that has not begun. `new`: never run.
 */
export type Condition = (typeof CONDITIONS)[number];

/** Without what only runs need; address and error without keys. */
export interface OverseenSource
  extends Pick<
    Source,
    'id' | 'name' | 'kind' | 'location' | 'everySeconds' | 'trust' | 'state' | 'lastRunAt' | 'lastOkAt' | 'listedAt' | 'lastError'
  > {
  failures: number;
  /** When somebody asked for a run that has not begun. */
  wantedAt: number | null;
  isReleased: boolean;
  condition: Condition;
  /** When the clock lets it run next; null: only when it is told to. May lie in the past by what a worker needs to look. */
  nextRunAt: number | null;
  last: RunLine | null;
}

/** The ones that need a person first. */
export async function overseeSources({
  store,
  now,
}: {
  store: { db: Kysely<Database> };
  now: number;
}): Promise<OverseenSource[]> {
  const [sources, lastRuns] = await Promise.all([listSources({ store }), readLastRuns(store)]);
  return sources
    .map((source) => oversee(source, lastRuns.get(source.id) ?? null, now))
    .sort((a, b) => CONDITIONS.indexOf(a.condition) - CONDITIONS.indexOf(b.condition));
}

function oversee(source: Source, last: RunLine | null, now: number): OverseenSource {
  const { mapping: _, etag: __, lastModified: ___, retryAt: ____, createdAt: _____, licence: ______, ...shown } = source;
  return {
    ...shown,
    location: redactKeys(source.location),
    lastError: source.lastError === null ? null : redactKeys(source.lastError),
    condition: conditionOf(source, last, now),
    nextRunAt: nextRunOf(source, now),
    last: last && { ...last, error: last.error === null ? null : redactKeys(last.error) },
  };
}

function conditionOf(source: Source, last: Pick<RunLine, 'state'> | null, now: number): Condition {
  if (last?.state === 'running') return 'running';
  if (source.wantedAt !== null) return 'waiting';
  if (source.state === 'held') return 'held';
  if (source.state === 'paused') return 'paused';
  if (source.failures > 0) return 'failing';
  if (source.lastRunAt === null) return 'new';
  if (isLate(source, now)) return 'late';
  return isEmpty(source, now) ? 'empty' : 'well';
}

/** What runs by hand has no interval to be measured by. */
function isEmpty({ everySeconds, listedAt, createdAt }: Source, now: number): boolean {
  return everySeconds !== null && now - (listedAt ?? createdAt) > everySeconds * 1000 * TURNS_TO_BE_LATE + SLACK_MS;
}

/** Two turns missed; what runs by hand is never late. */
function isLate({ everySeconds, lastOkAt }: Source, now: number): boolean {
  return everySeconds !== null && now - (lastOkAt ?? 0) > everySeconds * 1000 * TURNS_TO_BE_LATE + SLACK_MS;
}

function nextRunOf({ everySeconds, lastRunAt, retryAt, state, wantedAt }: Source, now: number): number | null {
  if (wantedAt !== null) return wantedAt;
  if (everySeconds === null || state !== 'active') return null;
  return retryAt ?? (lastRunAt === null ? now : lastRunAt + everySeconds * 1000);
}

/**
 * Addresses and errors as a page may show them: keys belong into the settings, but some put them into an address. Names and passwords of
 * an address, and the values of parameters that are named like keys, become an ellipsis.
 */
export function redactKeys(text: string): string {
  return text.replace(CREDENTIALS, '$1…@').replace(KEY_PARAMETER, '$1…');
}

const TURNS_TO_BE_LATE = 2;
/** What a worker may need to look, and a run to end. */
const SLACK_MS = 600_000;
const CREDENTIALS = /(\bhttps?:\/\/)[^\s/?#@]+@/gi;
const KEY_PARAMETER =
  /([?&;#][^\s=&]*(?:key|token|secret|passw|pwd|auth|signature|sig|credential|app_?id|client_?id)[^\s=&]*=)[^\s&#]+/gi;
