/** The `venue` commands: places that wait for a person, and what is answered about them. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import {
  answerHere,
  answerIgnore,
  answerSame,
  listPlaceAnswers,
  listWaitingPlaces,
  undoPlaceAnswer,
  type WaitingPlace,
} from '../ingest/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { readPoint } from '../values/read-point.ts';
import { COMMAND_LINE, recordCommand } from './audit.ts';
import { counted } from './print-table.ts';

export function venueCommand(context: Context): Command {
  const venue = new Command('venue').description('shows places that nobody knows, and says where they are');
  const now = context.config.clocks.directory;
  venue
    .command('waiting')
    .description('lists names whose street nobody knows, and sources whose listings name no place; the most listings first')
    .option('--json', 'print them as JSON')
    .action(({ json }: { json?: true }) =>
      context.withStore(async (store) => {
        const { places: waiting } = await listWaitingPlaces({ store, now: now() });
        if (json) return context.print(JSON.stringify(waiting));
        for (const place of waiting) show(context, place);
        return context.print(
          waiting.length === 0
            ? 'no place is waiting'
            : `${counted(waiting.length, 'place waits', 'places wait')} for your answer`,
        );
      }),
    );
  venue
    .command('answers')
    .description('lists what was answered')
    .option('--json', 'print it as JSON')
    .action(({ json }: { json?: true }) =>
      context.withStore(async (store) => {
        const answers = await listPlaceAnswers(store);
        if (json) return context.print(JSON.stringify(answers.map(({ key: _, ...rest }) => rest)));
        for (const { name, act, venueId, address, latitude, longitude } of answers) {
          const where = venueId ?? address ?? (latitude === null ? '' : `${latitude},${longitude}`);
          context.print(`${name}: ${act} ${where}`.trim());
        }
      }),
    );
  addAnswers(venue, context);
  return venue;
}

function addAnswers(venue: Command, context: Context): void {
  const now = context.config.clocks.directory;
  const answer = (store: Store, name: string) => ({ store, name, now: now(), by: COMMAND_LINE });
  const done = async (store: Store, act: string, detail: Record<string, string | number | null>): Promise<void> => {
    await recordCommand(context, store, { action: `venue.${act}`, subject: 'venue', subjectId: null, detail });
    context.print('noted; the next run of each source applies it');
  };
  venue
    .command('same')
    .description('says that a name is that of a venue')
    .argument('<name>', 'as venue waiting prints it')
    .argument('<venue>', 'id or slug of the venue')
    .action((name: string, house: string) =>
      context.withStore(async (store) => {
        const { venueId } = await answerSame({ ...answer(store, name), house });
        await done(store, 'same', { name, venue: venueId });
      }),
    );
  venue
    .command('here')
    .description('says where the venue of a name stands')
    .argument('<name>', 'as venue waiting prints it')
    .option('--address <text>', 'its address')
    .option('--point <lat,lon>', 'its coordinates in degrees, such as 40.7128,-74.006')
    .option('--house <id>', 'an imported house, as venue waiting prints it: the venue has its name, address and point')
    .option('--name <text>', 'of listings that name no place: what the venue is called; default: as the source')
    .action((name: string, flags: HereFlags) =>
      context.withStore(async (store) => {
        const here = await answerHere({ ...answer(store, name), ...readHere(flags) });
        const { address, latitude, longitude, venueName } = here;
        await done(store, 'here', { name, address, latitude, longitude, venueName });
      }),
    );
  venue
    .command('ignore')
    .description('does not list a name as waiting any more; its listings stay where they are')
    .argument('<name>', 'as venue waiting prints it')
    .action((name: string) =>
      context.withStore(async (store) => {
        await answerIgnore(answer(store, name));
        await done(store, 'ignore', { name });
      }),
    );
  venue
    .command('undo')
    .description('takes an answer about a name back')
    .argument('<name>', 'as venue answers prints it')
    .action((name: string) =>
      context.withStore(async (store) => {
        await undoPlaceAnswer({ store, name, now: now() });
        await done(store, 'undo', { name });
      }),
    );
}

interface HereFlags {
  address?: string;
  point?: string;
  house?: string;
  name?: string;
}

/** Throws an `ExpectedError` for flags that say nothing, or too much. */
function readHere(flags: HereFlags) {
  const [address, point] = [flags.address ?? null, flags.point ?? null];
  const [house, venueName] = [flags.house ?? null, flags.name ?? null];
  if ((address ?? point ?? house) === null)
    throw new ExpectedError('refused', 'Say where it is: --address TEXT, --point LAT,LON or --house ID.');
  if (house !== null && (address ?? point ?? venueName) !== null)
    throw new ExpectedError('refused', 'A --house has its own name, address and point; give no other.');
  const at = point === null ? null : readPoint(point);
  if (point !== null && at === null)
    throw new ExpectedError('refused', `--point must be latitude and longitude such as 40.7128,-74.006, but is ${point}.`);
  return { address, point: at, house, venueName };
}

function show(context: Context, { name, source, count, samples, houses }: WaitingPlace): void {
  const facts = source
    ? `${counted(count, 'listing names', 'listings name')} no place; ${source.location}`
    : counted(count, 'listing');
  context.print(`${name} (${facts})`);
  for (const { title, localStart, source, address } of samples)
    context.print(`  ${[localStart.replace('T', ' '), title, address].filter(Boolean).join(', ')} (${source})`);
  for (const { name, address, reason, distanceKm, distanceFrom, venueId, houseId } of houses) {
    const far = `${distanceKm} km from ${distanceFrom === 'center' ? 'the center' : 'its listings'}`;
    const means = venueId === null ? `--house ${houseId}` : venueId;
    context.print(`  ${name}, ${address ?? 'no address'} (${reason}, ${far}): ${means}`);
  }
}
