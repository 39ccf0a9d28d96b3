/** What people are asked about day by day, compared with what a person who read it says. */

import { readFileSync } from 'node:fs';
import { listCandidates, type OpenCandidate } from '../src/ingest/index.ts';
import type { Store } from '../src/store/index.ts';
import type { Figure } from './figure.ts';

export interface AskedPair {
  kind: 'event' | 'venue';
  /** Ids of the two listings, in order. */
  ids: string;
  /** The title or name, provider and place of each: the same for all nights of two series. */
  series: string;
  /** The first of the two is over. */
  isOver: boolean;
}

/** All that are open at the desk. */
export async function openQuestions(store: Store, now: number): Promise<AskedPair[]> {
  const questions = await listCandidates({ store, limit: MAX_QUESTIONS });
  return questions.map((question) => {
    const sides = [question.left, question.right];
    return {
      kind: question.kind,
      ids: sides
        .map(({ externalId }) => externalId)
        .sort()
        .join(' '),
      series: sides.map(seriesOf).sort().join(' '),
      isOver: question.kind === 'event' && sides.some(({ listing }) => isOver(listing, now)),
    };
  });
}

/** `days`: what was open after each day. Questions count once, however many days they are open. */
export function questionFigures(days: readonly (readonly AskedPair[])[]): Figure[] {
  const labels = readQuestionLabels();
  const asked = new Map(days.flat().map((question) => [question.ids, question]));
  const read = [...asked.keys()].filter((ids) => labels.has(ids));
  const same = read.filter((ids) => labels.get(ids) === 'same').length;
  for (const ids of asked.keys()) if (!labels.has(ids)) console.error(`question without a label: ${ids}`);
  const repeated = days.map((open) => open.length - new Set(open.map(({ series }) => series)).size);
  const over = days.map((open) => open.filter(({ isOver }) => isOver).length);
  const figure = (name: string, value: string, note = ''): Figure => ({ name, value, command: 'npm run quality', note });
  return [
    figure('Questions whose two are the same', `${same} of ${read.length}`, `${asked.size - read.length} are not labeled`),
    figure('Open questions about a series that is asked about already', repeated.join(', ')),
    figure('Open questions about what began before the day', over.join(', ')),
  ];
}

function seriesOf({ externalId, listing }: OpenCandidate['left']): string {
  const { title, name, sources, place } = listing as Listed;
  return JSON.stringify(title === undefined ? [externalId, name] : [sources, title, place?.name]);
}

const isOver = (listing: object, now: number): boolean => ((listing as Listed).startsAt ?? now) < now - DAY_MS;

/** What is read of a normalized listing. */
interface Listed {
  title?: string;
  name?: string;
  sources?: readonly string[];
  place?: { name: string };
  startsAt?: number;
}

/** By the ids of the two. */
function readQuestionLabels(): Map<string, string> {
  const lines = readFileSync(new URL('labels/questions-2026-06.tsv', import.meta.url), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
  return new Map(rows.map(([left = '', right = '', label = '']) => [[left, right].sort().join(' '), label]));
}

const MAX_QUESTIONS = 1000;
const DAY_MS = 86_400_000;
