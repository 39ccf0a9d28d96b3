/**
 * The figures of `docs/data-quality.md`, measured on real data that is no part of the project. `npm run quality` prints them;
 * `-- --write` puts them into the page, between its marks.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askCostFigures } from './ask-cost.ts';
import { captureFigures } from './captures.ts';
import { cityFigures } from './cities.ts';
import { dateFigures } from './dates.ts';
import { feedFigures } from './feeds.ts';
import type { Figure } from './figure.ts';
import { icalFigures } from './ical.ts';
import { identityFigures } from './identity.ts';
import { jsonldFigures } from './jsonld.ts';
import { kindFigures } from './kinds.ts';
import { NYC_FACTS } from './nyc-facts.ts';
import { permitFigures } from './permits.ts';
import { pipelineFigures } from './pipeline.ts';
import { placeFigures } from './places.ts';
import { queryFigures } from './queries.ts';
import { rankingFigures } from './ranking.ts';
import { refusalFigures } from './refusals.ts';
import { replayFigures } from './replay.ts';

const SECTIONS: readonly { heading: string; figures: () => Figure[] | Promise<Figure[]> }[] = [
  { heading: 'Pages and feeds', figures: () => [...jsonldFigures(), ...feedFigures(), ...dateFigures()] },
  { heading: 'Calendars', figures: icalFigures },
  { heading: 'Answers of APIs', figures: captureFigures },
  { heading: 'Places', figures: placeFigures },
  { heading: 'Identity', figures: () => (NYC_FACTS.missing ? [] : identityFigures()) },
  { heading: 'Sixteen providers, one directory', figures: pipelineFigures },
  { heading: 'Permits without coordinates', figures: permitFigures },
  { heading: 'Types and categories', figures: kindFigures },
  { heading: 'Refused listings', figures: refusalFigures },
  { heading: 'Seven days in order', figures: replayFigures },
  { heading: 'Search', figures: async () => [...(await queryFigures()), ...(await askCostFigures())] },
  { heading: 'Ranking', figures: rankingFigures },
  { heading: 'Other cities', figures: cityFigures },
];

const BEGIN = '<!-- figures -->';
const END = '<!-- end of figures -->';

const { values: options } = parseArgs({ options: { write: { type: 'boolean' } } });
const tables: string[] = [];
const missing: string[] = [];
for (const { heading, figures } of SECTIONS) {
  const found = await figures();
  if (found.length === 0) missing.push(heading);
  else tables.push(table(heading, found));
}
const text = tables.join('\n\n');
console.log(text);
if (missing.length > 0) console.error(`without data: ${missing.join(', ')}`);
if (options.write) write(text);

function table(heading: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, command, note = '' }) => row(name, value, `\`${command}\``, note));
  return [`## ${heading}`, '', '| measured | figure | command | note |', '|---|---|---|---|', ...rows].join('\n');
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** What a person wrote around the marks stays. Nothing is written when a set of data is missing: old figures are better than none. */
function write(figures: string): void {
  const page = new URL('../docs/data-quality.md', import.meta.url);
  const before = readFileSync(page, 'utf8');
  const [head, rest] = before.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`docs/data-quality.md has no marks ${BEGIN} and ${END}`);
  if (missing.length > 0) throw new Error('not written: some of the data is missing');
  const date = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  writeFileSync(
    page,
    `${head}${BEGIN}\n\nMeasured on ${date} with Node ${process.versions.node}.\n\n${figures}\n\n${END}${tail}`,
  );
}
