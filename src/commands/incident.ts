/** The `incident` commands: what the status page says in the words of the operator. */

import { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import {
  IMPACTS,
  type Impact,
  type IncidentResult,
  type IncidentState,
  listIncidents,
  OPEN_STATES,
  openIncident,
  updateIncident,
} from '../status/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';
import { printTable } from './print-table.ts';

export function incidentCommand(context: Context): Command {
  const incident = new Command('incident').description('tells readers of the status page about an incident');
  const now = context.config.clocks.directory;
  incident
    .command('open')
    .description('opens an incident and prints its id')
    .argument('<title>', 'what readers notice, such as "Search is slow"')
    .requiredOption('--message <text>', 'what is known so far')
    .addOption(new Option('--impact <impact>', 'how much is affected').choices(IMPACTS).default('minor'))
    .action((title: string, { message, impact }: { message: string; impact: Impact }) =>
      context.withStore(async (store) => {
        const id = idOf(await openIncident({ db: store.db, now }, { title, impact, message }));
        const detail = { title, impact, message };
        await recordCommand(context, store, { action: 'incident.open', subject: 'incident', subjectId: id, detail });
        context.print(id);
      }),
    );
  incident
    .command('update')
    .description('adds what is known now')
    .argument('<id>', 'id of the incident')
    .requiredOption('--message <text>', 'what is known now')
    .addOption(new Option('--state <state>', 'how far it is').choices(OPEN_STATES).default('identified'))
    .action((id: string, { message, state }: { message: string; state: IncidentState }) =>
      context.withStore((store) => add(context, store, { id, state, message })),
    );
  incident
    .command('close')
    .description('closes an incident')
    .argument('<id>', 'id of the incident')
    .option('--message <text>', 'how it ended', 'The incident is over.')
    .action((id: string, { message }: { message: string }) =>
      context.withStore((store) => add(context, store, { id, state: 'resolved', message })),
    );
  incident
    .command('list')
    .description('lists open incidents, and those of the last 90 days')
    .option('--json', 'print them as JSON, with every update')
    .action(({ json }: { json?: true }) =>
      context.withStore(async (store) => {
        const incidents = await listIncidents({ db: store.db, now });
        if (json) return context.print(JSON.stringify(incidents));
        if (incidents.length === 0) return context.print('no incidents');
        const rows = incidents.map(({ id, state, impact, openedAt, title }) => [
          id,
          state,
          impact,
          new Date(openedAt).toISOString(),
          title,
        ]);
        return printTable(context, ['id', 'state', 'impact', 'opened', 'title'], rows);
      }),
    );
  return incident;
}

async function add(
  context: Context,
  store: Store,
  { id, state, message }: { id: string; state: IncidentState; message: string },
): Promise<void> {
  idOf(await updateIncident({ db: store.db, now: context.config.clocks.directory }, id, { state, message }));
  const action = state === 'resolved' ? 'incident.close' : 'incident.update';
  await recordCommand(context, store, { action, subject: 'incident', subjectId: id, detail: { state, message } });
  context.print(state === 'resolved' ? 'closed' : 'updated');
}

function idOf(result: IncidentResult): string {
  if (result.ok) return result.id;
  throw new ExpectedError('refused', result.detail);
}
