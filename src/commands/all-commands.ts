/** Every command, loaded when it is typed. */

import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { Store } from '../store/index.ts';

export type MakeCommand = (context: Context) => Command;

/**
 * By their first word, in the order of `--help`. A command needs a half or a third of what all of them load, and loading is most of its
 * time.
 */
export const COMMANDS: ReadonlyMap<string, () => Promise<MakeCommand>> = new Map([
  ['import', async () => (await import('./import.ts')).importCommand],
  ['city', async () => (await import('./city.ts')).cityCommand],
  ['source', async () => (await import('./source.ts')).sourceCommand],
  ['venue', async () => (await import('./venue.ts')).venueCommand],
  ['place', async () => (await import('./place.ts')).placeCommand],
  ['ingest', async () => (await import('./ingest.ts')).ingestCommand],
  ['run', async () => (await import('./ingest.ts')).runCommand],
  ['review', async () => (await import('./review.ts')).reviewCommand],
  ['correct', async () => (await import('./correct.ts')).correctCommand],
  ['hide', async () => (await import('./correct.ts')).hideCommand],
  ['unhide', async () => (await import('./correct.ts')).unhideCommand],
  ['account', async () => (await import('./account.ts')).accountCommand],
  ['key', async () => (await import('./key.ts')).keyCommand],
  ['demo', async () => (await import('./demo.ts')).demoCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['restore', async () => (await import('./backup.ts')).restoreCommand],
  ['explain', async () => (await import('./explain.ts')).explainCommand],
  ['incident', async () => (await import('./incident.ts')).incidentCommand],
  ['secret', async () => (await import('./secret.ts')).secretCommand],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
  ['mcp', async () => (await import('./mcp.ts')).mcpCommand],
]);

/** Loads the demo city where nothing is, for `start`; gives a key of each tier. */
export const ensureDemo = async (context: Context, store: Store) => (await import('./demo.ts')).ensureDemo(context, store);
