/** Figures about the sources, read from the store when they are asked for. Labels are the operator's own names of sources. */

import { Gauge, type Registry } from 'prom-client';
import { shareReading } from './shared-reading.ts';

export interface SourceFigures {
  name: string;
  state: 'active' | 'paused' | 'held';
  /** When it was last read whole, milliseconds; null: never. */
  lastOkAt: number | null;
  /** How often it is read; null: when an operator asks for it. */
  everySeconds: number | null;
  /** In a row. */
  failures: number;
}

/** `now`: milliseconds. */
export function registerSources(
  registry: Registry,
  read: () => Promise<SourceFigures[]>,
  now: () => number,
  patienceMs?: number,
): void {
  const once = shareReading(read, patienceMs);
  const gauge = (name: string, help: string, figure: (source: SourceFigures) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const source of (await once()).slice(0, MAX_SOURCES)) {
          const value = figure(source);
          if (value !== null) this.set({ source: source.name }, value);
        }
      },
    });
  gauge('marquee_source_age_seconds', 'Time since the last complete read of the source.', ({ lastOkAt }) =>
    lastOkAt === null ? null : (now() - lastOkAt) / 1000,
  );
  gauge('marquee_source_interval_seconds', 'How often the source is read.', ({ everySeconds }) => everySeconds);
  gauge('marquee_source_failures', 'Failures of the source in a row.', ({ failures }) => failures);
  gauge('marquee_source_held', 'Whether the source is on hold.', ({ state }) => Number(state === 'held'));
}

const MAX_SOURCES = 500;
