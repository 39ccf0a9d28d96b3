/** The table of the experiments, printed and in docs/reliability.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Engine, Outcome } from './experiment.ts';

export interface Row extends Outcome {
  name: string;
  engine: Engine;
  form: 'long' | 'short';
}

const HEAD = ['| experiment | engine | form | measured | holds |', '|---|---|---|---|---|'];
const keyOf = ({ name, engine }: Row): string => `| ${name} | ${engine} |`;

export function formatTable(rows: readonly Row[]): string {
  return [...HEAD, ...rows.map(formatRow)].join('\n');
}

function formatRow(row: Row): string {
  const { form, figures, failures } = row;
  return `${keyOf(row)} ${form} | ${figures} | ${failures.length === 0 ? 'yes' : `**no**: ${failures.join('; ')}`} |`;
}

/** Puts the rows between the marks of the page; those of other experiments stay as they were measured. */
export function writeMeasured(rows: readonly Row[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`docs/reliability.md lacks ${BEGIN} or ${END}`);
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`;
  const known = page
    .slice(before, after)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !HEAD.includes(line));
  const table = [...HEAD, ...withRows(known, rows)].join('\n');
  const last = new Date().toISOString().slice(0, 10);
  const measured = `${BEGIN}\n\n${machine}; its newest row is of ${last}.\n\n${table}\n\n`;
  writeFileSync(PAGE, page.slice(0, before) + measured + page.slice(after));
}

/** New rows in the places of old ones; rows that were not there before come last. */
function withRows(known: readonly string[], rows: readonly Row[]): string[] {
  const fresh = new Map(rows.map((row) => [keyOf(row), formatRow(row)]));
  const kept = known.map((line) => {
    const key = [...fresh.keys()].find((each) => line.startsWith(each));
    const row = key === undefined ? line : (fresh.get(key) ?? line);
    fresh.delete(key ?? '');
    return row;
  });
  return [...kept, ...fresh.values()];
}

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const BEGIN = '<!-- npm run faults -- --write: from here -->';
const END = '<!-- to here -->';
