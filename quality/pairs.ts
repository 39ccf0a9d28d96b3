/**
 * Measures identity on a file of labeled pairs: `npx node quality/pairs.ts <labels.tsv> [<events file>]`.
 * The ids are those of New York's published files; without a second argument the one of 16 June 2026.
 */

import { clusterEvents, compareEvents, detectClocks, type EventFacts } from '../src/identity/index.ts';
import { measurePairs, printMeasure, readLabels } from './measure-pairs.ts';
import { NYC_FACTS, readNycFacts } from './nyc-facts.ts';

const [labels, events = NYC_FACTS.main] = process.argv.slice(2);
if (labels === undefined) {
  console.error('usage: node quality/pairs.ts <labels.tsv> [<events file>]');
  process.exit(2);
}
const { facts, refused } = readNycFacts(events);
const clocks = detectClocks(facts);
const clusters = clusterEvents(facts, { clocks, decisions: [] });
const byId = new Map(facts.map((fact) => [fact.id, fact]));
const { measures, wrong } = measurePairs(readLabels(labels), clusters);

console.log(
  `${facts.length} listings (${refused.size} refused) are ${clusters.groups.length} events; ${clusters.asks.length} questions`,
);
for (const { sentence } of clocks.findings) console.log(sentence);
for (const measure of measures) {
  const { part, missedAsked, leftOut } = measure;
  console.log(`${part}: ${printMeasure(measure)}; ${missedAsked} of the missed are asked; ${leftOut} pairs left out`);
}
for (const { left, right, label } of wrong) {
  const [a, b] = [byId.get(left), byId.get(right)];
  if (a === undefined || b === undefined) continue;
  const { outcome, score, evidence } = compareEvents(a, b, { clocks });
  console.log(`\nlabelled ${label}; the pair alone is ${outcome} (${score})\n  ${printed(a)}\n  ${printed(b)}`);
  for (const { detail } of evidence) console.log(`    ${detail}`);
}

function printed({ id, title, place, localStart }: EventFacts): string {
  return [id, title, place.name, localStart].join(' | ');
}
