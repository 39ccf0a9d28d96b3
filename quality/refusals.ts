/** Listings of two published days that are refused, compared with what a person who read them says. */

import { readFileSync } from 'node:fs';
import type { Figure } from './figure.ts';
import { NYC_FACTS, readNycFacts } from './nyc-facts.ts';

export function refusalFigures(): Figure[] {
  if (NYC_FACTS.missing) return [];
  const labels = readRefusalLabels();
  const refused = DAYS.flatMap(({ day, file }) => [...readNycFacts(file).refused.keys()].map((id) => `${day} ${id}`));
  const read = refused.filter((key) => labels.has(key));
  for (const key of read) if (labels.get(key) !== 'right') console.error(`refused: ${key}`);
  const right = read.filter((key) => labels.get(key) === 'right').length;
  return [
    {
      name: 'listings that are rightly refused',
      value: `${right} of ${read.length}`,
      command: 'npm run quality',
      note: `${refused.length - read.length} of the refused are not labeled; the files of 16 and 24 June, read one by one`,
    },
  ];
}

/** By day and id. */
function readRefusalLabels(): Map<string, string> {
  const lines = readFileSync(new URL('labels/refusals-2026-06.tsv', import.meta.url), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
  return new Map(rows.map(([day, id, label = '']) => [`${day} ${id}`, label]));
}

const DAYS = [
  { day: '2026-06-16', file: NYC_FACTS.main },
  { day: '2026-06-24', file: NYC_FACTS.day('2026-06-24') },
];
