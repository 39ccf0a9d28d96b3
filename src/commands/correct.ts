/** `correct`, `hide` and `unhide`: the operator's word on an event or venue, against all sources. */

import { Argument, Command } from 'commander';
import type { AuditDetail } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import {
  type CorrectionResult,
  correct,
  findField,
  hide,
  readCorrectionText,
  uncorrect,
  unhide,
  wantedField,
} from '../ingest/index.ts';
import { loadIdBySlug, readCity } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { isUuid } from '../values/uuid.ts';
import { COMMAND_LINE, recordCommand } from './audit.ts';
import { printTable } from './print-table.ts';

type Entity = 'event' | 'venue';

export function correctCommand(context: Context): Command {
  const command = new Command('correct').description(
    'corrects a field, whatever the sources list; all later runs and imports respect the correction',
  );
  const now = context.config.clocks.directory;
  for (const entity of ENTITIES) {
    command
      .command(entity)
      .description(`a field of ${entity === 'event' ? 'an event' : 'a venue'}`)
      .argument('<id>', 'its id, or its slug')
      .argument('<field>', 'such as title or priceMin; an unknown field prints all fields')
      .argument('[value]', 'the correct value; "none" if unknown')
      .option('--note <text>', 'why')
      .option('--undo', 'reverts the correction, so that the sources decide again')
      .action((name: string, field: string, value: string | undefined, flags: { note?: string; undo?: true }) =>
        context.withStore(async (store) => {
          if (findField(entity, field) === null) throw new ExpectedError('refused', `${field}: ${wantedField(entity)}`);
          const target = { store, entity, id: await idOf(store, entity, name), by: COMMAND_LINE, now };
          const entry = { store, entity, note: flags.note };
          if (flags.undo) return done(context, { ...entry, action: 'revert' }, await uncorrect({ ...target, fields: [field] }));
          if (value === undefined) throw new ExpectedError('refused', 'Wanted a value or --undo, got neither.');
          const values = { [field]: readCorrectionText(entity, field, value, await zoneOf(store)) };
          return done(context, { ...entry, action: 'correct' }, await correct({ ...target, values, note: flags.note ?? null }));
        }),
      );
  }
  return command;
}

export function hideCommand(context: Context): Command {
  return hiding(context, 'hide', 'hides an event or venue from all lists; its id returns 410', hide);
}

export function unhideCommand(context: Context): Command {
  return hiding(context, 'unhide', 'publishes a hidden event or venue again', unhide);
}

function hiding(context: Context, name: 'hide' | 'unhide', description: string, act: typeof hide): Command {
  const command = new Command(name)
    .description(description)
    .addArgument(new Argument('<kind>', 'what it is').choices(ENTITIES))
    .argument('<id>', 'its id, or its slug');
  if (name === 'hide') command.option('--note <text>', 'why');
  return command.action((entity: Entity, id: string, flags: { note?: string }) =>
    context.withStore(async (store) => {
      const target = { store, entity, id: await idOf(store, entity, id), by: COMMAND_LINE, now: context.config.clocks.directory };
      const entry = { store, entity, action: name, note: flags.note };
      await done(context, entry, await act({ ...target, note: flags.note ?? null }));
    }),
  );
}

/** The city's; any, where there is no city yet: then there is nothing to correct. */
async function zoneOf({ db }: Store): Promise<string> {
  return (await readCity(db))?.timezone ?? 'UTC';
}

async function idOf({ db }: Store, entity: Entity, name: string): Promise<string> {
  if (isUuid(name)) return name;
  const id = await loadIdBySlug(db, entity, name);
  if (id === null) throw new ExpectedError('refused', `No ${entity} has the id or slug "${name}".`);
  return id;
}

interface CorrectionEntry {
  store: Store;
  entity: Entity;
  action: string;
  note: string | undefined;
}

/** Notes what was done and shows it. */
async function done(context: Context, { store, entity, action, note }: CorrectionEntry, result: CorrectionResult): Promise<void> {
  if (!result.ok) throw new ExpectedError('refused', `${result.field === undefined ? '' : `${result.field}: `}${result.detail}`);
  if (result.changed.length > 0) {
    const changed = result.changed.map((change) => ({ ...change, before: change.before ?? null })) as unknown as AuditDetail;
    const detail = { changed, note: note ?? null };
    await recordCommand(context, store, { action: `${entity}.${action}`, subject: entity, subjectId: result.id, detail });
  }
  const rows = result.changed.map(({ field, before, after }) => [field, brief(before), brief(after)]);
  if (rows.length === 0) context.print('nothing changed');
  else printTable(context, ['field', 'before', 'now'], rows);
}

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.replace(/\s+/g, ' ').slice(0, SHOWN_CHARS);
}

const ENTITIES: readonly Entity[] = ['event', 'venue'];
const SHOWN_CHARS = 60;
