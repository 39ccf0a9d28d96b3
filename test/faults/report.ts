/** The table of the experiments, printed and in docs/reliability.md. */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Engine, Outcome } from './experiment.ts';

export interface Row extends Outcome {
  name: string;
  engine: Engine;
}

export function formatTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, engine, figures, failures }) =>
      `| ${name} | ${engine} | ${figures} | ${failures.length === 0 ? 'yes' : `**no**: ${failures.join('; ')}`} |`,
  );
  return ['| experiment | engine | measured | holds |', '|---|---|---|---|', ...lines].join('\n');
}

/** Puts the table between the marks of the page. */
export function writeMeasured(rows: readonly Row[], form: 'long' | 'short'): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`docs/reliability.md lacks ${BEGIN} or ${END}`);
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}`;
  const measured = `${BEGIN}\n\n${machine}, ${new Date().toISOString().slice(0, 10)}; the ${form} form.\n\n${formatTable(rows)}\n\n`;
  writeFileSync(PAGE, page.slice(0, before) + measured + page.slice(after));
}

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const BEGIN = '<!-- npm run faults -- --write: from here -->';
const END = '<!-- to here -->';
