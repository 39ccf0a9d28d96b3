/**
 * Measures identity on a file of labeled pairs: `npx node quality/pairs.ts <labels.tsv> [<events file>]`.
 * The ids are those of New York's published files: of the day that a label names, or else of the second argument, or of 16 June 2026.
 */

import { clusterEvents, compareEvents, detectClocks, type EventFacts } from '../src/facts/index.ts';
import { measurePairs, printMeasure, readLabels } from './measure-pairs.ts';
import { isNyc, NYC_FACTS, readNycFacts } from './nyc-facts.ts';

const [labels, events = NYC_FACTS.main] = process.argv.slice(2);
if (labels === undefined) {
  console.error('usage: node quality/pairs.ts <labels.tsv> [<events file>]');
  process.exit(2);
}
const days = new Map<string, ReturnType<typeof decide>>();
const { measures, wrong } = measurePairs(readLabels(labels), (day) => {
  const decided = decide(day === '' ? events : NYC_FACTS.day(day));
  days.set(day, decided);
  return decided;
});
for (const measure of measures) {
  const { part, missedAsked, leftOut } = measure;
  console.log(`${part}: ${printMeasure(measure)}; ${missedAsked} of the missed are asked; ${leftOut} pairs left out`);
}
for (const { left, right, label, part, day } of wrong) {
  const decided = days.get(day);
  const [a, b] = [decided?.byId.get(left), decided?.byId.get(right)];
  if (a === undefined || b === undefined || decided === undefined) continue;
  const { outcome, score, evidence } = compareEvents(a, b, decided);
  console.log(`\n${part}: labelled ${label}; the pair alone is ${outcome} (${score})\n  ${printed(a)}\n  ${printed(b)}`);
  for (const { detail } of evidence) console.log(`    ${detail}`);
}

function decide(file: string) {
  const { facts, refused } = readNycFacts(file, isNyc);
  const clocks = detectClocks(facts);
  const clusters = clusterEvents(facts, { clocks, decisions: [] });
  const { groups, asks } = clusters;
  console.log(`${facts.length} listings (${refused.size} refused) are ${groups.length} events; ${asks.length} questions`);
  for (const { sentence } of clocks.findings) console.log(sentence);
  return { ...clusters, clocks, byId: new Map(facts.map((fact) => [fact.id, fact])) };
}

function printed({ id, title, place, localStart }: EventFacts): string {
  return [id, title, place.name, localStart].join(' | ');
}
