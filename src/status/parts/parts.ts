/** The parts that work behind the answers: how late each is. */

import type { PartName, ServicePart } from '../model.ts';

/** How many milliseconds the oldest work of a part has waited beyond its time; 0: nothing waits. */
export type LoadDelay = () => Promise<number>;

export type PartDelays = Readonly<Record<Exclude<PartName, 'database' | 'limits'>, LoadDelay>>;

export interface PartStates {
  list(): ServicePart[];
  /** The database answered, and this is how late the parts are; null: it could not be read. */
  noteDelays(delays: Readonly<Record<keyof PartDelays, number | null>>): void;
  noteDatabaseDown(): void;
}

/** `now`: real time, milliseconds. `sharesLimits`: absent where no limits are shared. */
export function createPartStates(now: () => number, sharesLimits?: () => boolean): PartStates {
  const names = sharesLimits ? NAMES : NAMES.filter((name) => name !== 'limits');
  const parts = new Map<PartName, ServicePart>();
  const put = (name: PartName, state: ServicePart['state'], since: number | null) => {
    const before = parts.get(name);
    if (before?.state !== state) parts.set(name, { name, state, since });
  };
  for (const name of names) put(name, 'unknown', null);

  return {
    list() {
      if (sharesLimits?.()) put('limits', 'ok', null);
      else if (sharesLimits) put('limits', 'down', now());
      return names.map((name) => parts.get(name) ?? { name, state: 'unknown', since: null });
    },
    noteDelays(delays) {
      put('database', 'ok', null);
      for (const name of BEHIND_DATABASE) {
        const delay = delays[name];
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

const BEHIND_DATABASE = ['mail', 'webhooks', 'exports'] as const;
const NAMES: readonly PartName[] = ['database', 'limits', ...BEHIND_DATABASE];
/** A mail server may ask for patience, an export takes its time, and a webhook is sent within seconds. */
const MAX_DELAY_MS = { mail: 300_000, webhooks: 120_000, exports: 1_800_000 } as const;
