import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RepairCode } from '../../src/facts/model.ts';
import { normalizePrice, readPriceText } from '../../src/facts/normalize/price.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';
import { normal } from './listing.ts';

const FREE = { isFree: true, min: 0, max: 0 };
const price = (min: number | null, max: number | null) => ({ isFree: false, min, max });

describe('a price in words', () => {
  it.each<[string, object | null]>([
    ['$12 b4 11 / $19-30', price(12, 30)],
    ['free w/rsvp b4 10:30pm / $15', price(0, 15)],
    ['free b4 11pm w/ rsvp', price(0, null)],
    ['free w/rsvp', FREE],
    ['$18+', price(18, null)],
    ['$10-20+', price(10, null)],
    ['from $20', price(20, null)],
    ['$16.70-21', price(16.7, 21)],
    ['29 à 59€', price(29, 59)],
    ['29 à 62', price(29, 62)],
    ['10/15 €', price(10, 15)],
    ['7', price(7, 7)],
    ['entrée libre', FREE],
    ['Entrée libre dans la limite des places. Réservation au 01 53 73 00 22.', FREE],
    ['Plein 26€ | Réduit 20€ | Moins de 15 ans 12€', price(12, 26)],
    ['Tarifs : 6€. Gratuit pour les - 12 ans.', price(6, 6)],
    ['Entrée 12 E / TR 10 E', price(10, 12)],
    ['0 $ – 38,27 $', price(0, 38.27)],
    ['Sisäänpääsymaksu + ohjausmaksu 2,50 €', price(2.5, 2.5)],
    ['free!!', FREE],
    ['no cover', FREE],
    ['Eintritt frei, Spende erwünscht', FREE],
    ['suggested donation', price(0, null)],
    ['Suggested donation $10', price(0, 10)],
    ['pay what you wish', price(0, null)],
    ['participation libre pour les artistes', price(0, null)],
    ['$1,250.00', price(1250, 1250)],
    ['1.250,50 €', price(1250.5, 1250.5)],
    ['$15 adv / $20 door', price(15, 20)],
    ['$25 (18+)', price(25, 25)],
    ['$30 + fees', price(30, 30)],
    ['kids free, adults $10', price(10, 10)],
    ['free parking, $10', price(10, 10)],
    ['$5 off', null],
    ['$20 food/bev minimum', null],
    ['gluten-free snacks', null],
    ['Free with museum admission', null],
    ['10:30pm', null],
    ['alle 14 e 16', null],
    ['TBA', null],
    ['$-5', null],
    ['1e308 €', null],
    ['', null],
  ])('%j is %j', (text, expected) => {
    expect(readPriceText(text)).toEqual(expected);
  });

  it('does not hang on hostile text', () => {
    for (const hostile of [
      '1-'.repeat(1000),
      '$1'.repeat(1000),
      '1 000 '.repeat(400),
      'free for '.repeat(300),
      '1,1.'.repeat(700),
    ]) {
      expect(cpuMsOf(() => readPriceText(hostile))).toBeLessThan(1_000);
    }
  });
});

describe('what an event costs', () => {
  it.each<[string, object, object, RepairCode[]]>([
    ['numbers', { priceMin: 12, priceMax: 30 }, { isFree: false, priceMin: 12, priceMax: 30 }, []],
    [
      'numbers the wrong way round',
      { priceMin: 12, priceMax: 10 },
      { isFree: false, priceMin: 10, priceMax: 12 },
      ['prices_exchanged'],
    ],
    ['a price beside free', { isFree: true, priceMin: 12 }, { isFree: false, priceMin: 12 }, ['free_corrected']],
    ['0 and no word', { priceMin: 0 }, { isFree: true, priceMin: 0, priceMax: 0 }, []],
    ['0 beside not free', { isFree: false, priceMin: 0 }, { isFree: false, priceMin: null, priceMax: null }, []],
    ['less than nothing', { priceMin: -5 }, { isFree: false, priceMin: null }, ['price_dropped']],
    [
      'more than the world',
      { priceMin: 1e308, priceMax: 20 },
      { isFree: false, priceMin: null, priceMax: 20 },
      ['price_dropped'],
    ],
    ['free', { isFree: true }, { isFree: true, priceMin: 0, priceMax: 0 }, []],
    ['nothing', {}, { isFree: false, priceMin: null, priceMax: null }, []],
    ['words', { priceText: '<p>2,50 €</p>' }, { isFree: false, priceMin: 2.5, priceMax: 2.5 }, ['price_from_text']],
    ['free in words', { priceText: 'free!!' }, { isFree: true, priceMin: 0, priceMax: 0 }, ['price_from_text']],
    ['words beside numbers', { priceMin: 5, priceText: 'free!!' }, { isFree: false, priceMin: 5, priceMax: null }, []],
    ['a gift beside free', { isFree: true, priceText: 'suggested donation' }, { isFree: true, priceMax: 0 }, []],
  ])('is understood from %s', (_, said, expected, repairs) => {
    expect(normal(said)).toMatchObject({ ...expected, repairs });
  });

  it('is always possible, whatever is said', () => {
    const amount = fc.option(fc.oneof(fc.double(), fc.integer({ min: -5, max: 50 })));
    fc.assert(
      fc.property(fc.option(fc.boolean()), amount, amount, fc.option(fc.string()), (isFree, priceMin, priceMax, priceText) => {
        const found = normalizePrice({ isFree, priceMin, priceMax, priceText }, () => {});
        if (found.isFree) expect([found.priceMin, found.priceMax]).toEqual([0, 0]);
        else expect((found.priceMax ?? Infinity) >= (found.priceMin ?? 0)).toBe(true);
        for (const each of [found.priceMin, found.priceMax]) expect(each === null || (each >= 0 && each <= 1e6)).toBe(true);
      }),
    );
  });
});
