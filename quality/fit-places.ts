/**
 * Fits the weights of `src/facts/identity/place-relation.ts` on the labeled pairs of the train splits: logistic regression by Newton's method with a
 * small ridge (Hastie, Tibshirani and Friedman, The Elements of Statistical Learning, §4.4.1). Signals are those of the whole names.
 */

import { compareAddresses } from '../src/facts/identity/place-address.ts';
import { alignWords } from '../src/facts/identity/place-alignment.ts';
import { metersBetween } from '../src/facts/identity/place-point.ts';
import { readPlace, SIGNAL_NAMES, type SignalName, signalsOf } from '../src/facts/identity/place-relation.ts';
import { type LabelledPair, PAIR_SETS, readPairs } from './places.ts';

export interface Fit {
  weights: Record<SignalName, number>;
  bias: number;
  pairs: number;
}

export function fitPlaces(): Fit {
  const rows = PAIR_SETS.flatMap((set) => readPairs(set, 'train')).map((pair) => ({ x: signals(pair), y: pair.isSame ? 1 : 0 }));
  const fitted = regress(rows);
  const weights = Object.fromEntries(SIGNAL_NAMES.map((name, index) => [name, fitted[index] ?? 0])) as Record<SignalName, number>;
  return { weights, bias: fitted.at(-1) ?? 0, pairs: rows.length };
}

/** The last is 1, for the bias. */
function signals({ left, right }: LabelledPair): number[] {
  const [a, b] = [readPlace(left), readPlace(right)];
  const names = alignWords(a.name.words, b.name.words);
  const found = signalsOf(names, metersBetween(left, right), compareAddresses(a.address, b.address));
  return [...SIGNAL_NAMES.map((name) => found[name]), 1];
}

interface Row {
  x: readonly number[];
  y: number;
}

function regress(rows: readonly Row[]): number[] {
  let weights = new Array<number>(SIGNAL_NAMES.length + 1).fill(0);
  for (let step = 0; step < STEPS; step += 1) {
    const { slope, curve } = derivatives(rows, weights);
    const change = solve(curve, slope);
    weights = weights.map((weight, index) => weight - at(change, index));
  }
  return weights;
}

/** First and second derivatives of the loss; the bias, which is the last, carries no ridge. */
function derivatives(rows: readonly Row[], weights: readonly number[]): { slope: number[]; curve: number[][] } {
  const ridge = weights.map((_, index) => (index < weights.length - 1 ? RIDGE : 0));
  const chances = rows.map(({ x }) => 1 / (1 + Math.exp(-sum(x.map((value, index) => value * at(weights, index))))));
  const overRows = (term: (row: Row, chance: number) => number) => sum(rows.map((row, index) => term(row, at(chances, index))));
  return {
    slope: weights.map((weight, i) => at(ridge, i) * weight + overRows(({ x, y }, chance) => (chance - y) * at(x, i))),
    curve: weights.map((_, i) =>
      weights.map(
        (__, j) => (i === j ? at(ridge, i) : 0) + overRows(({ x }, chance) => chance * (1 - chance) * at(x, i) * at(x, j)),
      ),
    ),
  };
}

/** Gauss and Jordan's elimination. A matrix of second derivatives with a ridge is positive definite, so no pivot is zero. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  let rows = matrix.map((row, index) => [...row, at(right, index)]);
  for (const index of matrix.keys()) {
    const pivot = rows[index] ?? [];
    const scaled = pivot.map((value) => value / at(pivot, index));
    rows = rows.map((row, each) =>
      each === index ? scaled : row.map((value, column) => value - at(row, index) * at(scaled, column)),
    );
  }
  return rows.map((row) => at(row, matrix.length));
}

const at = (values: readonly number[], index: number): number => values[index] ?? 0;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const STEPS = 15;
const RIDGE = 2;

if (import.meta.main) {
  const { weights, bias, pairs } = fitPlaces();
  for (const [name, weight] of Object.entries(weights)) console.log(`${name.padEnd(16)}${weight.toFixed(2).padStart(6)}`);
  console.log(`${'bias'.padEnd(16)}${bias.toFixed(2).padStart(6)}   of ${pairs} pairs`);
}
