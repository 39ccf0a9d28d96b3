/** `source find`: the sources that a web address leads to, as a table or as JSON. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import {
  createPace,
  FINDING_LIMITS,
  type FindingContext,
  type FoundSources,
  findSources,
  type SourceCandidate,
} from '../finding/index.ts';
import { listSources } from '../ingest/index.ts';
import { openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import { readCity } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { counted } from './print-table.ts';

export function findCommand(context: Context): Command {
  return new Command('find')
    .description('finds the sources of events that a web address leads to')
    .argument('<address>', 'a site, a page or a calendar, with or without https://')
    .option('--json', 'print the candidates as a JSON list, and everything else on standard error')
    .action((address: string, flags: { json?: true }) =>
      context.withStore(async (store) => {
        const city = await cityOf(context, store);
        const { candidates, notes, isReached } = await withFinder(context, city, (find) => find(address));
        if (flags.json) context.print(JSON.stringify(candidates));
        else showAll(context, candidates, await takenNames(store));
        if (!isReached) throw new ExpectedError('refused', sentence(notes.join('; ')));
        for (const note of notes) context.remark(sentence(note));
      }),
    );
}

export async function cityOf(context: Context, { db }: Store): Promise<FindingContext['city']> {
  const city = await readCity(db);
  if (city) return { name: city.name, zone: city.timezone, locale: city.locale };
  context.remark('There is no city yet: times without a zone are read as UTC.');
  return { name: '', zone: 'UTC', locale: 'en' };
}

/** All addresses of one `work` share the pace: a host is asked once a second. */
export async function withFinder<T>(
  context: Context,
  city: FindingContext['city'],
  work: (find: (address: string) => Promise<FoundSources>) => Promise<T>,
): Promise<T> {
  const { config, watched } = context;
  if (!config.userAgent.includes('(+'))
    context.remark('Requests name no contact: set MARQUEE_CONTACT, so that sites can reach you.');
  const outbound = openOutbound({ allowedHosts: config.allowedHosts, userAgent: config.userAgent, limits: FINDING_LIMITS });
  const reader = openReader();
  try {
    const finding: FindingContext = {
      outbound,
      reader,
      pace: createPace(),
      city,
      now: config.clocks.directory,
      ...(watched && { onRequest: (url: string) => context.remark(`reading ${url}`) }),
    };
    return await work((address) => findSources(address, finding));
  } finally {
    await reader.close();
    await outbound.close();
  }
}

/** Names of sources that exist; `showAll` adds those that it proposes. */
export async function takenNames(store: Store): Promise<Set<string>> {
  return new Set((await listSources({ store })).map(({ name }) => name));
}

/** Proposes no name twice, so that each printed command works. */
export function showAll(context: Context, candidates: readonly SourceCandidate[], taken: Set<string>): void {
  for (const candidate of candidates) {
    const name = freeName(candidate, taken);
    taken.add(name);
    show(context, candidate, name);
  }
}

export function freeName(candidate: SourceCandidate, taken: ReadonlySet<string>): string {
  const name = nameOf(candidate);
  const names = [name, `${name} (${candidate.platform})`];
  for (let count = 2; ; count++) {
    const free = names.find((each) => !taken.has(each));
    if (free !== undefined) return free;
    names.push(`${name} ${count}`);
  }
}

function show(context: Context, candidate: SourceCandidate, sourceName: string): void {
  const { kind, location, platform, title, events, sample, warnings } = candidate;
  context.print(`${title || platform}: ${counted(events, 'upcoming event')} (${platform})`);
  for (const warning of warnings) context.print(`  note: ${warning}`);
  for (const { start, title: name, venue, address } of sample) {
    context.print(
      `  ${[start.slice(0, 'YYYY-MM-DDThh:mm'.length).replace('T', ' '), name, venue ?? address].filter(Boolean).join('  ')}`,
    );
  }
  context.print(`  marquee source add ${kind} ${quoted(location)} --name ${quoted(sourceName)}`);
  context.print('');
}

/** A name that a person recognizes, and that the shell takes. */
function nameOf({ location, title }: SourceCandidate): string {
  const plain = title
    .replace(/[^\p{L}\p{N}&.,:() -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_NAME_CHARS)
    .trim();
  return plain || (URL.parse(location)?.host ?? location);
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
const MAX_NAME_CHARS = 60;
