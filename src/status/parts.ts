/** The parts that work behind the answers: how late each is. */

import type { PartName, ServicePart } from './model.ts';

/** How many milliseconds the oldest work of a part has waited beyond its time; 0: nothing waits. */
export type LoadDelay = () => Promise<number>;

/** `backups`: absent where none are scheduled. */
export type PartDelays = Readonly<Record<Exclude<PartName, 'database' | 'limits' | 'backups'>, LoadDelay>> & {
  readonly backups?: LoadDelay | undefined;
};

export interface PartStates {
  list(): ServicePart[];
  /** The database answered, and this is how late the parts are; null: it could not be read. */
  noteDelays(delays: Readonly<Partial<Record<keyof PartDelays, number | null>>>): void;
  noteDatabaseDown(): void;
}

export interface PartStatesOptions {
  /** Real time, milliseconds. */
  now: () => number;
  /** Absent where no limits are shared. */
  sharesLimits?: (() => boolean) | undefined;
  /** Since when the database has shown signs of damage, milliseconds; null: it shows none. */
  damagedSince: () => number | null;
  schedulesBackups: boolean;
}

export function createPartStates({ now, sharesLimits, damagedSince, schedulesBackups }: PartStatesOptions): PartStates {
  const isThere = (name: PartName) => (name !== 'limits' || sharesLimits) && (name !== 'backups' || schedulesBackups);
  const names = NAMES.filter(isThere);
  const parts = new Map<PartName, ServicePart>();
  const put = (name: PartName, state: ServicePart['state'], since: number | null) => {
    const before = parts.get(name);
    if (before?.state !== state) parts.set(name, { name, state, since });
  };
  for (const name of names) put(name, 'unknown', null);
  /** A damaged database may answer all the same. */
  const withDamage = (part: ServicePart): ServicePart => {
    const since = part.name === 'database' && part.state !== 'down' ? damagedSince() : null;
    return since === null ? part : { ...part, state: 'damaged', since };
  };

  return {
    list() {
      if (sharesLimits?.()) put('limits', 'ok', null);
      else if (sharesLimits) put('limits', 'down', now());
      return names.map((name) => withDamage(parts.get(name) ?? { name, state: 'unknown', since: null }));
    },
    noteDelays(delays) {
      put('database', 'ok', null);
      for (const name of BEHIND_DATABASE) {
        const delay = delays[name] ?? null;
        if (delay === null) put(name, 'unknown', null);
        else if (delay > MAX_DELAY_MS[name]) put(name, 'late', now() - delay);
        else put(name, 'ok', null);
      }
    },
    noteDatabaseDown() {
      put('database', 'down', now());
      // E-mails wait in files; all else waits in the database.
      for (const name of BEHIND_DATABASE) if (name !== 'mail') put(name, 'unknown', null);
    },
  };
}

const BEHIND_DATABASE = ['mail', 'webhooks', 'exports', 'backups'] as const;
const NAMES: readonly PartName[] = ['database', 'limits', ...BEHIND_DATABASE];
/** A mail server may ask for patience, an export takes its time, and a webhook is sent within seconds. A backup is tried several times. */
const MAX_DELAY_MS = { mail: 300_000, webhooks: 120_000, exports: 1_800_000, backups: 3_600_000 } as const;
