import { expect, it } from 'vitest';
import { readCorrectionText } from '../../src/ingest/index.ts';

it.each([
  ['event', 'price', 'free', { isFree: true }],
  ['event', 'price', 'unknown', { isFree: false }],
  ['event', 'price', '12', { isFree: false, priceMin: 12, priceMax: 12 }],
  ['event', 'price', '12.50 – 20', { isFree: false, priceMin: 12.5, priceMax: 20 }],
  ['event', 'price', 'twelve', 'twelve'],
  ['event', 'performers', ' Ann , Bo,, ', ['Ann', 'Bo']],
  ['event', 'tags', 'none', []],
  ['event', 'description', 'none', null],
  ['event', 'description', ' two\n lines', ' two\n lines'],
  ['event', 'title', ' None ', 'None'],
  ['venue', 'name', 'none', 'none'],
  ['venue', 'coordinates', '40.7, -74', { latitude: 40.7, longitude: -74 }],
  ['venue', 'coordinates', 'here', 'here'],
  ['venue', 'verified', 'Yes', true],
  ['venue', 'verified', 'perhaps', 'perhaps'],
  ['venue', 'hours', '', null],
  ['venue', 'hours', '{"timezone":"UTC"}', { timezone: 'UTC' }],
  ['venue', 'hours', '{', '{'],
  ['venue', 'toString', 'x', 'x'],
] as const)('what is typed for %s %s, %j, is read as it is meant', (entity, field, typed, value) => {
  expect(readCorrectionText(entity, field, typed)).toEqual(value);
});
