import { describe, expect, it } from 'vitest';
import { clusterEvents, compareEvents, type EventFacts, NO_CLOCKS } from '../../src/facts/index.ts';
import { event } from './made-events.ts';

const outcome = (a: EventFacts, b: EventFacts) => compareEvents(a, b, { clocks: NO_CLOCKS }).outcome;
const atlas = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Atlas', ...said });
const beacon = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Beacon', ...said });
const cancelled = { isCancelled: true } as const;

describe('a listing of a kind of ticket', () => {
  it('is its event, and a pass for several days is not one of them', () => {
    expect(outcome(atlas({ ticket: 'part' }), beacon())).toBe('same');
    expect(outcome(atlas({ id: '1', ticket: 'part' }), atlas({ id: '2', ticket: 'part' }))).toBe('same');
    expect(outcome(atlas({ ticket: 'pass' }), beacon())).toBe('different');
    expect(outcome(atlas({ ticket: 'pass' }), beacon({ ticket: 'pass' }))).toBe('same');
  });
});

describe('a cancelled listing', () => {
  const fitness = { title: 'Marrow Fitness', category: 'sports' } as const;
  const edition = { ...fitness, title: 'Marrow Fitness – Harvest Edition Class' };

  it('and what replaces it at one provider are two events', () => {
    expect(outcome(atlas({ id: '1', ...fitness, ...cancelled }), atlas({ id: '2', ...edition }))).toBe('different');
    expect(outcome(atlas({ id: '1', ...fitness }), atlas({ id: '2', ...edition }))).toBe('same');
  });

  it('and another source with a special edition are a question, and one event under one title', () => {
    expect(outcome(atlas({ ...fitness, ...cancelled }), beacon(edition))).toBe('ask');
    expect(outcome(atlas({ ...fitness, ...cancelled }), beacon(fitness))).toBe('same');
  });

  it('proves nothing about another act of its house and minute', () => {
    const facts = [atlas({ id: 'a', title: 'Big Harvest Street Party', ...cancelled }), beacon({ id: 'b', title: 'Ida Lark' })];
    expect(clusterEvents(facts, { clocks: NO_CLOCKS, decisions: [] })).toMatchObject({ groups: [['a'], ['b']], asks: [] });
  });
});
