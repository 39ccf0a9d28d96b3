/** `correct`, `hide` and `unhide`: the operator's word on an event or venue, against all sources. */

import { Argument, Command } from 'commander';
import { readCity } from '../catalog/index.ts';
import { type CorrectionResult, correct, hide, readCorrectionText, uncorrect, unhide } from '../ingest/index.ts';
import type { Store } from '../store/index.ts';
import { type Context, printTable, Refusal } from './context.ts';

type Entity = 'event' | 'venue';

export function correctCommand(context: Context): Command {
  const command = new Command('correct').description(
    'says what a field is, against all sources; every later run and import obeys',
  );
  const now = context.config.clocks.directory;
  for (const entity of ENTITIES) {
    command
      .command(entity)
      .description(`a field of ${entity === 'event' ? 'an event' : 'a venue'}`)
      .argument('<id>', 'its id, or its slug')
      .argument('<field>', 'such as title; a wrong one prints them all')
      .argument('[value]', 'what it is; "none" when nothing is known')
      .option('--note <text>', 'why')
      .option('--undo', 'takes the word back: the sources decide again')
      .action((name: string, field: string, value: string | undefined, flags: { note?: string; undo?: true }) =>
        context.withStore(async (store) => {
          const target = { store, entity, id: await idOf(store, entity, name), by: BY, now };
          if (flags.undo) return done(context, await uncorrect({ ...target, fields: [field] }));
          if (value === undefined) throw new Refusal('A value is needed, or --undo.');
          const values = { [field]: readCorrectionText(entity, field, value, await zoneOf(store)) };
          return done(context, await correct({ ...target, values, note: flags.note ?? null }));
        }),
      );
  }
  return command;
}

export function hideCommand(context: Context): Command {
  return hiding(context, 'hide', 'takes an event or venue out of the lists; its id answers "gone"', hide);
}

export function unhideCommand(context: Context): Command {
  return hiding(context, 'unhide', 'publishes again what was hidden', unhide);
}

function hiding(context: Context, name: string, description: string, act: typeof hide): Command {
  const command = new Command(name)
    .description(description)
    .addArgument(new Argument('<kind>', 'what it is').choices(ENTITIES))
    .argument('<id>', 'its id, or its slug');
  if (name === 'hide') command.option('--note <text>', 'why');
  return command.action((entity: Entity, id: string, flags: { note?: string }) =>
    context.withStore(async (store) => {
      const target = { store, entity, id: await idOf(store, entity, id), by: BY, now: context.config.clocks.directory };
      done(context, await act({ ...target, note: flags.note ?? null }));
    }),
  );
}

/** The city's; any, where there is no city yet: then there is nothing to correct. */
async function zoneOf({ db }: Store): Promise<string> {
  return (await readCity(db))?.timezone ?? 'UTC';
}

async function idOf({ db }: Store, entity: Entity, name: string): Promise<string> {
  if (UUID.test(name)) return name;
  const found = await db.selectFrom(entity).select('id').where('slug', '=', name).executeTakeFirst();
  if (!found) throw new Refusal(`No ${entity} has the id or slug "${name}".`);
  return found.id;
}

function done(context: Context, result: CorrectionResult): void {
  if (!result.ok) throw new Refusal(`${result.field === null ? '' : `${result.field}: `}${result.reason}`);
  const rows = result.changed.map(({ field, before, after }) => [field, brief(before), brief(after)]);
  if (rows.length === 0) context.print('nothing new');
  else printTable(context, ['field', 'before', 'now'], rows);
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(/\s+/g, ' ').slice(0, SHOWN_CHARS);
}

const ENTITIES: readonly Entity[] = ['event', 'venue'];
const BY = 'command line';
const SHOWN_CHARS = 60;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
