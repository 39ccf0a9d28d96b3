/** The `review` commands: pairs of listings that the facts leave open, and a person's word on them. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import { decide, listCandidates, type ManualChangeResult, type OpenCandidate, undecide } from '../ingest/index.ts';
import { COMMAND_LINE, recordCommand } from './audit.ts';
import { showDifference } from './print-run.ts';

export function reviewCommand(context: Context): Command {
  const review = new Command('review').description('decides about listings that may be the same');
  const now = context.config.clocks.directory;
  review
    .command('list')
    .description('lists the open questions, the most likely duplicates first')
    .option('--json', 'print them as JSON, with both listings')
    .action((flags: { json?: true }) =>
      context.withStore(async (store) => {
        const candidates = await listCandidates({ store });
        if (flags.json) return context.print(JSON.stringify(candidates));
        for (const candidate of candidates) show(context, candidate);
        return context.print(candidates.length === 0 ? 'no open questions' : `${candidates.length} open questions`);
      }),
    );
  for (const verdict of ['same', 'different'] as const) {
    review
      .command(verdict)
      .description(`marks two listings as ${verdict}; all later runs respect this decision`)
      .argument('<left>', 'id of a listing')
      .argument('<right>', 'id of the other listing')
      .option('--note <text>', 'why')
      .action((left: string, right: string, { note }: { note?: string }) =>
        context.withStore(async (store) => {
          const amendment = await decide({ store, left, right, verdict, by: COMMAND_LINE, note, now });
          const detail = { left, right, note: note ?? null, merged: amendment?.difference.merged.length ?? null };
          await recordCommand(context, store, { action: `review.${verdict}`, subject: 'question', detail });
          done(context, amendment);
        }),
      );
  }
  review
    .command('undo')
    .description('reverts a decision, so that the evidence decides again')
    .argument('<left>', 'id of a listing')
    .argument('<right>', 'id of the other listing')
    .action((left: string, right: string) =>
      context.withStore(async (store) => {
        const amendment = await undecide({ store, left, right, now });
        await recordCommand(context, store, { action: 'review.undo', subject: 'decision', detail: { left, right } });
        done(context, amendment);
      }),
    );
  return review;
}

function show(context: Context, { kind, score, evidence, left, right }: OpenCandidate): void {
  context.print(`${kind}, ${Math.round(score * 100)}% the same`);
  for (const { recordId, source, listing } of [left, right]) {
    const { title, name, localStart, place } = listing as Record<string, unknown>;
    const at = (place as { name?: string } | undefined)?.name;
    context.print(`  ${recordId}  ${[title ?? name, localStart, at].filter(Boolean).join(', ')} (${source})`);
  }
  for (const { speaksFor, detail } of evidence) context.print(`    ${SIGNS[speaksFor]} ${detail}`);
}

function done(context: Context, applied: ManualChangeResult | null): void {
  if (applied) showDifference(context, applied.difference);
  context.print(applied ? 'noted' : 'noted; the service applies it');
}

const SIGNS = { same: '+', different: '-', neither: ' ' } as const;
