import { expect, it } from 'vitest';
import { mergeEvent, type NormalEvent, type Word } from '../../src/facts/index.ts';

const word = (recordId: string, title: string): Word => ({
  recordId,
  provider: 'radio',
  trust: 0.5,
  confirmedAt: 0,
  startsAt: 0,
  endsAt: null,
  precision: 'time',
  listing: {
    externalId: '1',
    title,
    category: 'concert',
    categoryConfidence: 0.9,
    startsAt: 0,
    description: null,
    imageUrl: null,
    url: null,
    isFree: false,
    priceMin: null,
    priceMax: null,
    status: 'scheduled',
    performers: [],
    tags: [],
  } as unknown as NormalEvent,
});

it('one listing that two equally trusted sources pass on in two forms is one event in any order', () => {
  const words = [word('a', 'The Lanterns'), word('b', 'Lanterns')];
  expect(mergeEvent(words)).toEqual(mergeEvent(words.toReversed()));
});
