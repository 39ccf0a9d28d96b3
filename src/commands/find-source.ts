/** `source find`: the sources that a web address leads to, as a table or as JSON. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import { createPace, FINDING_LIMITS, type Finding, findSources, type SourceCandidate } from '../finding/index.ts';
import { openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import { readCity } from '../records/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { counted } from './print-table.ts';

export function findCommand(context: Context): Command {
  return new Command('find')
    .description('finds the sources of events that a web address leads to')
    .argument('<address>', 'a site, a page or a calendar, with or without https://')
    .option('--json', 'print the candidates as a JSON list, and everything else on standard error')
    .action((address: string, flags: { json?: true }) =>
      context.withStore(async ({ db }) => {
        const city = await readCity(db);
        if (!city) context.remark('There is no city yet: times without a zone are read as UTC.');
        const finding = await find(context, address, {
          name: city?.name ?? '',
          zone: city?.timezone ?? 'UTC',
          locale: city?.locale ?? 'en',
        });
        if (!finding.isReached && finding.candidates.length === 0)
          throw new ExpectedError('refused', sentence(finding.notes.join('; ') || `${address} could not be read`));
        for (const note of finding.notes) context.remark(sentence(note));
        if (flags.json) return context.print(JSON.stringify(finding.candidates.map(({ preferred: _, ...rest }) => rest)));
        for (const candidate of finding.candidates) show(context, candidate);
      }),
    );
}

async function find(context: Context, address: string, city: { name: string; zone: string; locale: string }): Promise<Finding> {
  const { config, watched } = context;
  const outbound = openOutbound({ allowedHosts: config.allowedHosts, limits: FINDING_LIMITS });
  const reader = openReader();
  try {
    return await findSources(address, {
      outbound,
      reader,
      pace: createPace(),
      city,
      now: config.clocks.directory,
      ...(watched && { onRequest: (url: string) => context.remark(`reading ${url}`) }),
    });
  } finally {
    await reader.close();
    await outbound.close();
  }
}

function show(context: Context, candidate: SourceCandidate): void {
  const { kind, location, platform, title, events, sample, warnings } = candidate;
  context.print(`${title || platform}: ${counted(events, 'upcoming event')} (${platform})`);
  for (const warning of warnings) context.print(`  note: ${warning}`);
  for (const { start, title: name, venue, address } of sample) {
    context.print(
      `  ${[start.slice(0, 'YYYY-MM-DDThh:mm'.length).replace('T', ' '), name, venue ?? address].filter(Boolean).join('  ')}`,
    );
  }
  context.print(`  marquee source add ${kind} ${quoted(location)} --name ${quoted(nameOf(candidate))}`);
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
