/** What every experiment is: a service started from outside, something that goes wrong, and a verdict that can be "no". */

import type { Context } from './context.ts';

export type Engine = 'embedded' | 'postgres';

export interface Experiment {
  name: string;
  engines: readonly Engine[];
  /** On which of them the short form runs it: what does not depend on the engine runs once. */
  shortEngines: readonly Engine[];
  run(context: Context): Promise<Outcome>;
}

export interface Outcome {
  /** What was measured, for the table. */
  figures: string;
  /** One sentence for each requirement that was not met; empty when all were. */
  failures: string[];
}

export const BOTH: readonly Engine[] = ['embedded', 'postgres'];
export const EMBEDDED: readonly Engine[] = ['embedded'];
export const POSTGRES: readonly Engine[] = ['postgres'];

/** Collects the requirements that were not met. */
export function openVerdict(): { require(holds: boolean, failure: string): void; failures: string[] } {
  const failures: string[] = [];
  return {
    failures,
    require(holds, failure) {
      if (!holds) failures.push(failure);
    },
  };
}
