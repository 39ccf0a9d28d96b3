/** Figures about scheduled backups, read from the store when they are asked for. */

import { Gauge, type Registry } from 'prom-client';
import { shareReading } from './shared-reading.ts';

export interface BackupFigures {
  /** The moment that the newest complete one shows, milliseconds; null: there is none. */
  newestAt: number | null;
  bytes: number | null;
  /** Since then, in a row. */
  failures: number;
  everyMs: number;
}

/** `now`: milliseconds. */
export function registerBackups(registry: Registry, read: () => Promise<BackupFigures>, now: () => number): void {
  const once = shareReading(async () => [await read()]);
  const gauge = (name: string, help: string, figure: (backups: BackupFigures) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const [backups] = await once();
        const value = backups ? figure(backups) : null;
        // A gauge that is reset shows 0: a backup of this moment.
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  gauge('marquee_backup_age_seconds', 'Age of the newest complete scheduled backup.', ({ newestAt }) =>
    newestAt === null ? null : (now() - newestAt) / 1000,
  );
  gauge('marquee_backup_interval_seconds', 'How often a backup is made.', ({ everyMs }) => everyMs / 1000);
  gauge('marquee_backup_bytes', 'Size of the newest complete scheduled backup.', ({ bytes }) => bytes);
  gauge('marquee_backup_failures', 'Failed scheduled backups since the newest complete one.', ({ failures }) => failures);
}
