import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPriceText } from '../../src/facts/normalize/price.ts';
import { readAmount } from '../../src/providers/fields/amount.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';

type Expected = 'free' | 'unknown' | readonly [min: number | null, max: number | null];

/** Prices as houses of each language write them. `[10, null]`: from 10 on. */
const PRICES: Readonly<Record<string, readonly (readonly [string, Expected])[]>> = {
  English: [
    ['PWYC', [0, null]],
    ['Free–$20', [0, 20]],
    ['$10–free', [0, 10]],
    ['$1.5k', [1500, 1500]],
    ['VIP table $2K', [2000, 2000]],
    ['50¢', [0.5, 0.5]],
    ['50 cents', [0.5, 0.5]],
    ['$.50', [0.5, 0.5]],
    ['Under $20', 'unknown'],
    ['Less than $20', 'unknown'],
    ['Rp 100.000', [100_000, 100_000]],
    ['100 TL', [100, 100]],
    ['$20, 5k run', [20, 20]],
    ['PWYC ($5–$20 suggested)', [0, 20]],
    ['$5 suggested', [0, 5]],
    ['Pass the hat', [0, null]],
    ['Sliding scale $10 to $30', [10, 30]],
    ['Sliding scale', [0, null]],
    ['$10-30 sliding scale, NOTAFLOF', [0, 30]],
    ['Sliding scale $10-$30, no one turned away for lack of funds', [0, 30]],
    ['Minimum donation $10', [10, null]],
    ['$20 adv, $25 dos', [20, 25]],
    ['20 adv / 25 door', [20, 25]],
    ['$25 + $4.50 fee', [25, 25]],
    ['$25 (+ $3 service charge)', [25, 25]],
    ['$20 and up', [20, null]],
    ['Tickets from $35.00 USD', [35, null]],
    ['GA from $20, VIP from $80', [20, null]],
    ['between $10 and $20', [10, 20]],
    ['between 10 and 20 dollars', [10, 20]],
    ['10 or 15 dollars', [10, 15]],
    ['£5/£3 concs', [3, 5]],
    ['£5 / 3', [3, 5]],
    ['5 pounds', [5, 5]],
    ['No cover before 10pm, $10 after', [0, 10]],
    ['FREE - $10 suggested donation', [0, 10]],
    ['Free (registration required)', 'free'],
    ['Free of charge', 'free'],
    ['Free for members only', 'unknown'],
    ['Free for members, $12 general', [12, 12]],
    ['Members free / Guests $12', [12, 12]],
    ['Kids under 12 free; adults $10', [10, 10]],
    ['$15, free drink included', [15, 15]],
    ['$15 (free seating)', [15, 15]],
    ['$20 (ages 21+)', [20, 20]],
    ['$20. Doors 7pm, show 8pm. 21+', [20, 20]],
    ['$5 - 18+', [5, 5]],
    ['21+', 'unknown'],
    ['18 & over', 'unknown'],
    ['8PM', 'unknown'],
    ['8:30', 'unknown'],
    ['20:00', 'unknown'],
    ['Doors 8 / Show 9', 'unknown'],
    ['Included with admission', 'unknown'],
    ['Sold out', 'unknown'],
    ['2 for 1', 'unknown'],
    ['10% off', 'unknown'],
  ],
  German: [
    ['VVK 12 € / AK 15 €', [12, 15]],
    ['VVK: 12 / AK: 15', [12, 15]],
    ['Eintritt: 8 / erm. 5 €', [5, 8]],
    ['10€/8€ (erm.)', [8, 10]],
    ['10,- €', [10, 10]],
    ['10,– / 8,– Euro', [8, 10]],
    ['CHF 20.–', [20, 20]],
    ['Fr. 25.--/20.--', [20, 25]],
    ['25.–', [25, 25]],
    ["CHF 1'250.50", [1250.5, 1250.5]],
    ['1.000,50 €', [1000.5, 1000.5]],
    ['1.000 €', [1000, 1000]],
    ['ab 15 €', [15, null]],
    ['ab 15 € (ermäßigt 12 €)', [12, null]],
    ['von 10 bis 20 Euro', [10, 20]],
    ['zwischen 10 und 20 €', [10, 20]],
    ['15 € zzgl. 2 € VVK-Gebühr', [15, 15]],
    ['12 Euro, Kinder frei', [12, 12]],
    ['Kinder bis 12 Jahre frei, Erwachsene 10 €', [10, 10]],
    ['Eintritt frei', 'free'],
    ['Der Eintritt ist frei!', 'free'],
    ['kostenlos', 'free'],
    ['umsonst & draußen', 'free'],
    ['Eintritt frei, Kollekte', 'free'],
    ['Kollekte', [0, null]],
    ['Hutkonzert', [0, null]],
    ['Auf Spendenbasis', [0, null]],
    ['Zahl, was du willst', [0, null]],
    ['Spendenempfehlung 5–10 €', [0, 10]],
    ['nach Selbsteinschätzung 10–30 €', [10, 30]],
    ['frei bis 23 Uhr, danach 10 €', [0, 10]],
    ['15 €, freie Platzwahl', [15, 15]],
    ['ab 18', 'unknown'],
    ['ab 18 Jahren', 'unknown'],
    ['20 Uhr', 'unknown'],
    ['Einlass 19 Uhr', 'unknown'],
    ['barrierefrei', 'unknown'],
  ],
  French: [
    ['gratuit', 'free'],
    ['Accès libre', 'free'],
    ['Prix libre', [0, null]],
    ['PAF : 5 €', [5, 5]],
    ['PAF libre', [0, null]],
    ['prix libre (conseillé 5 €)', [0, 5]],
    ['12€50', [12.5, 12.5]],
    ['12 € 50', [12.5, 12.5]],
    ['1\u202f250,50\u00a0€', [1250.5, 1250.5]],
    ['entre 10 et 20 €', [10, 20]],
    ['10 ou 15 €', [10, 15]],
    ['dès 15 €', [15, null]],
    ['à partir de 15 €', [15, null]],
    ['15 € en prévente, 18 € sur place', [15, 18]],
    ['15 € + 2 € de frais de location', [15, 15]],
    ['10 €, gratuit pour les moins de 12 ans', [10, 10]],
    ['10 € / gratuit -12 ans', [10, 10]],
    ['Enfants gratuits, adultes 10 €', [10, 10]],
    ['15 €, placement libre', [15, 15]],
    ['10 $CA', [10, 10]],
    ['10$ CAN', [10, 10]],
    ['18 ans et plus', 'unknown'],
    ['20h30', 'unknown'],
  ],
  Spanish: [
    ['Entrada libre', 'free'],
    ['Entrada gratuita hasta completar aforo', 'free'],
    ['10€ anticipada / 12€ taquilla', [10, 12]],
    ['Desde 15 €', [15, null]],
    ['entre 10 y 20 euros', [10, 20]],
    ['A la gorra', [0, null]],
    ['Taquilla inversa', [0, null]],
    ['Aportación voluntaria', [0, null]],
    ['Niños gratis, adultos 8 €', [8, 8]],
    ['MX$200', [200, 200]],
    ['200 pesos', [200, 200]],
    ['$ 1.500', [1500, 1500]],
    ['12 € + gastos', [12, 12]],
    ['18+', 'unknown'],
  ],
  Italian: [
    ['Ingresso libero', 'free'],
    ['Ingresso gratuito', 'free'],
    ['Offerta libera', [0, null]],
    ['Intero 12 € - ridotto 8 €', [8, 12]],
    ['da 10 a 20 €', [10, 20]],
    ['da € 15', [15, null]],
    ['15 € + d.p.', [15, 15]],
    ['15 € + 2 € prevendita', [15, 15]],
    ['bambini gratis, adulti 8 €', [8, 8]],
    ['ore 21', 'unknown'],
  ],
  Portuguese: [
    ['Entrada franca', 'free'],
    ['Grátis', 'free'],
    ['Entrada livre', 'free'],
    ['R$ 30,00', [30, 30]],
    ['R$ 30 (meia) / R$ 60 (inteira)', [30, 60]],
    ['A partir de R$ 40', [40, null]],
    ['Contribuição livre', [0, null]],
    ['Pague quanto quiser', [0, null]],
    ['30 reais', [30, 30]],
  ],
  Dutch: [
    ['Gratis', 'free'],
    ['Gratis toegang', 'free'],
    ['Toegang vrij', 'free'],
    ['vrije bijdrage', [0, null]],
    ['Vrijwillige bijdrage', [0, null]],
    ['€ 12,50', [12.5, 12.5]],
    ['€ 12,-', [12, 12]],
    ['vanaf € 15', [15, null]],
    ['€10 voorverkoop / €12 deur', [10, 12]],
    ['tussen 10 en 20 euro', [10, 20]],
    ['kinderen gratis, volwassenen € 8', [8, 8]],
  ],
  Nordic: [
    ['Fri entré', 'free'],
    ['Gratis inträde', 'free'],
    ['Gratis adgang', 'free'],
    ['Ókeypis', 'free'],
    ['Aðgangur ókeypis', 'free'],
    ['Vapaa pääsy', 'free'],
    ['Pääsy vapaa', 'free'],
    ['Ilmainen', 'free'],
    ['150 kr', [150, 150]],
    ['150 kr.', [150, 150]],
    ['kr 150,-', [150, 150]],
    ['150:-', [150, 150]],
    ['150 kronor', [150, 150]],
    ['1.250 kr', [1250, 1250]],
    ['3.900 krónur', [3900, 3900]],
    ['4.900 ISK', [4900, 4900]],
    ['fra 150 kr', [150, null]],
    ['från 150 kr', [150, null]],
    ['alkaen 10 €', [10, null]],
    ['mellan 100 och 200 kr', [100, 200]],
    ['Billetter fra 200 til 400 kr', [200, 400]],
    ['Frivillig entré', [0, null]],
    ['betal hvad du vil', [0, null]],
    ['20 kr garderob, 100 kr entré', [100, 100]],
    ['kl. 20', 'unknown'],
  ],
  Polish: [
    ['Wstęp wolny', 'free'],
    ['wstęp bezpłatny', 'free'],
    ['za darmo', 'free'],
    ['20 zł', [20, 20]],
    ['20 zl / 30 zł', [20, 30]],
    ['od 20 do 40 zł', [20, 40]],
    ['od 30 zł', [30, null]],
    ['20 PLN przedsprzedaż, 30 PLN w dniu koncertu', [20, 30]],
    ['co łaska', [0, null]],
    ['wolne datki', [0, null]],
    ['godz. 20', 'unknown'],
  ],
};

describe.each(Object.entries(PRICES))('a price in %s', (_, prices) => {
  it.each(prices)('%j is %j', (text, expected) => {
    const read = readPriceText(text);
    if (expected === 'unknown') expect(read).toBeNull();
    else if (expected === 'free') expect(read).toEqual({ isFree: true, min: 0, max: 0 });
    else expect(read).toEqual({ isFree: false, min: expected[0], max: expected[1] });
  });
});

describe('every currency', () => {
  const codes = Intl.supportedValuesOf('currency');

  it('of ISO 4217 is read by its code, before and behind the amount', () => {
    for (const code of codes) {
      for (const text of [`${code} 12.50`, `12.50 ${code}`, `${code}12.50`, `12.50${code}`, `${code} 12,50`, `12,50 ${code}`]) {
        expect({ text, read: readPriceText(text) }).toEqual({ text, read: { isFree: false, min: 12.5, max: 12.5 } });
        expect({ text, amount: readAmount(text) }).toEqual({ text, amount: 12.5 });
      }
    }
  });

  it('is read by its signs, before and behind the amount', () => {
    const narrow = codes.map((currency) =>
      new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).formatToParts(1),
    );
    const signs = narrow.flatMap((parts) => parts.find(({ type }) => type === 'currency')?.value ?? []);
    const own = [
      'US$',
      'CA$',
      'C$',
      'A$',
      'NZ$',
      'HK$',
      'NT$',
      'S$',
      'MX$',
      'R$',
      'Fr.',
      'SFr.',
      'Rs.',
      '円',
      '원',
      'руб.',
      'kr.',
      'лв',
      'lei',
    ];
    for (const sign of new Set([...signs.filter((each) => /\p{Sc}/u.test(each)), ...own])) {
      for (const text of [`${sign} 25`, `${sign}25`, `25 ${sign}`, `25${sign}`]) {
        expect({ text, read: readPriceText(text) }).toEqual({ text, read: { isFree: false, min: 25, max: 25 } });
      }
    }
  });

  it.each([
    'de-DE',
    'de-CH',
    'fr-FR',
    'fr-CA',
    'es-ES',
    'it-IT',
    'pt-BR',
    'nl-NL',
    'sv-SE',
    'da-DK',
    'nb-NO',
    'fi-FI',
    'pl-PL',
    'en-US',
    'en-IN',
  ])('is read as %s formats it', (locale) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.constantFrom('EUR', 'USD', 'CHF', 'SEK', 'PLN', 'INR'),
        (cents, currency) => {
          const text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(cents / 100);
          expect(readPriceText(text)).toEqual({ isFree: false, min: cents / 100, max: cents / 100 });
          expect({ text, amount: readAmount(text) }).toEqual({ text, amount: cents / 100 });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('an amount in a field of its own', () => {
  it.each<[string, number | null]>([
    ['10,- €', 10],
    ['CHF 20.–', 20],
    ['150:-', 150],
    ['150 kr', 150],
    ['kr. 150,-', 150],
    ['12€50', 12.5],
    ['1’250.50 CHF', 1250.5],
    ['1.000,50', 1000.5],
    ['-5', -5],
    ['$20+', null],
    ['8pm', null],
    ['21+', null],
    ['TBA 20', null],
    ['ab 15 €', null],
    ['10-15', null],
  ])('%j is %j', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });
});

describe('hostile prices', () => {
  it.each(['1 ', '1,', '12.', 'EUR ', '10-', '10 to ', 'kr ', '$', '1\u202f000', 'free ', 'entre 1 et ', '1’000'])(
    'of %j over and over take little time',
    (piece) => {
      const text = piece.repeat(2000);
      expect(cpuMsOf(() => [readPriceText(text), readAmount(text)])).toBeLessThan(1_000);
    },
  );
});
