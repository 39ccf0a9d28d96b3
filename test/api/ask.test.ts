import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../src/search/index.ts';
import { ASK_NOW, askDirectory } from '../search/ask-directory.ts';
import { createTestApi, PUBLIC_URL } from '../support/rigs/api.ts';

const snapshot = buildSnapshot(askDirectory(), ASK_NOW, PUBLIC_URL);
const api = createTestApi({ search: { current: () => snapshot }, now: () => ASK_NOW });
afterAll(() => api.close());

const path = (parameters: Record<string, string>): string => `/events?${new URLSearchParams(parameters)}`;
const asked = async (text: string, more: Record<string, string> = {}) => {
  const { json } = await api.accepted(path({ ask: text, ...more }));
  return {
    titles: json.data.map(({ title }: { title: string }) => title) as string[],
    ...json.meta,
    ...json.meta.interpretation,
  };
};
/** Each part as `kind text`. */
const parts = async (text: string, more: Record<string, string> = {}): Promise<string[]> =>
  (await asked(text, more)).parts.map(({ kind, text: typed }: { kind: string; text: string }) => `${kind} ${typed}`);

describe('ask', () => {
  test.each<[text: string, found: string[]]>([
    ['free jazz tonight in bellwick', ['Free Jazz in the Yard']],
    ['jazz', ['Free Jazz in the Yard', 'Jazz at the Hall', 'Quiet Trio']],
    ['bon navie', ['Bon Navi']],
    ['gilly hanes', ['Rock the Quay']],
    ['the tonics', ['Rock the Quay']],
    ['msg', ['Bon Navi', 'The Who']],
    ['tonight show', ['Tonight Show: Live']],
    ['comedy tonight', ['Laugh Cellar']],
    ['kids this weekend', ['Story Hour', 'Kids of Yesterday']],
    ['hamlet saturday night', ['Hamlet']],
    ['4th of july', ['Fireworks over the Quay']],
    ['july 4th fireworks', ['Fireworks over the Quay']],
    ['dogs', ['Dog Parade']],
    ['birdwatching', ['Birding Tour']],
    ['bird watching', ['Birding Tour']],
    ['summer stage', ['Summerstage Opening']],
    ['cafe muller', ['Café Müller']],
    ['the who', ['The Who']],
    ['nowhere cellar', ['Laugh Cellar']],
    ['lsq friday', ['Hamlet', 'Rock the Quay']],
    ['e 4th street on friday', ['Hamlet', 'Rock the Quay']],
    ['lantern theater under $35', ['Rock the Quay', 'Haines and Sons Brunch', 'Tonight Show: Live']],
    ['fennimore after 8pm july 4', ['Fireworks over the Quay']],
    ['events in port quay on sunday', ['Dog Parade']],
    ['bellwik comedy', ['Laugh Cellar']],
    ['southside tonight', ['Free Jazz in the Yard', 'Laugh Cellar', 'Jazz at the Hall']],
  ])('%s', async (text, found) => {
    const { titles } = await asked(text);
    expect(titles).toEqual(found);
  });

  // Members that every object of JavaScript has: a table of words must not have them.
  test.each(['constructor', 'next constructor', 'constructor night', '10 of constructor', 'after constructor', '5 constructor'])(
    '%s is made of words like all others',
    async (text) => {
      const { status, json } = await api.ask(path({ ask: text }));
      expect(status, JSON.stringify(json)).toBe(200);
    },
  );

  test('says what each part means, which parameter asks for the same, and the text without it', async () => {
    const { parts: found, complete, relaxations } = await asked('Free jazz tonight in Old Harbor');
    expect(found).toEqual([
      part('price', 'Free', 0, 'free', { free: 'true' }, 'jazz tonight in Old Harbor'),
      part('word', 'jazz', 5, 'jazz', null, 'Free tonight in Old Harbor'),
      part('time', 'tonight', 10, 'tonight', { when: 'tonight' }, 'Free jazz in Old Harbor'),
      part(
        'neighborhood',
        'Old Harbor',
        21,
        'Old Harbor-Mill Yards',
        { neighborhood: 'old-harbor-mill-yards' },
        'Free jazz tonight in',
      ),
    ]);
    expect(complete).toBe(0);
    expect(relaxations).toEqual([{ without: 'Old Harbor', ask: 'Free jazz tonight in', total: 1 }]);
  });

  test.each([
    ['free', { free: 'true' }],
    ['tonight', { when: 'tonight' }],
    ['tomorrow', { when: 'tomorrow' }],
    ['this weekend', { when: 'this_weekend' }],
    ['next week', { start_date: '2026-06-22', end_date: '2026-06-28' }],
    ['today', { end_date: '2026-06-17' }],
    ['friday', { start_date: '2026-06-19', end_date: '2026-06-19' }],
    ['fri night', { start_date: '2026-06-19T17:00', end_date: '2026-06-20T05:00' }],
    ['june 20', { start_date: '2026-06-20', end_date: '2026-06-20' }],
    ['20th of june', { start_date: '2026-06-20', end_date: '2026-06-20' }],
    ['february 29', { start_date: '2028-02-29', end_date: '2028-02-29' }],
    ['in july', { start_date: '2026-07-01', end_date: '2026-07-31' }],
    ['tomorrow morning', { start_date: '2026-06-18T05:00', end_date: '2026-06-18T12:00' }],
    ['after 9pm', { start_date: '2026-06-17T21:00', end_date: '2026-06-18T05:00' }],
    ['under $20', { price_max: '20' }],
    ['< 30', { price_max: '30' }],
    ['cheap', { price_max: '20' }],
  ])('%s is what its parameters ask for', async (text, parameters) => {
    const {
      parts: [found],
      total,
    } = await asked(text);
    expect(found.parameters).toEqual(parameters);
    const range = 'free' in parameters || 'price_max' in parameters ? { end_date: '2030-01-01' } : {};
    const { json } = await api.accepted(path({ ...parameters, ...range }));
    expect(json.meta.total).toBe(total);
  });

  test.each(['june 3 2025', 'before 10am'])('%s is over, which no parameters ask for', async (text) => {
    const {
      parts: [found, ...others],
      total,
    } = await asked(text);
    expect([found.kind, found.parameters, others, total]).toEqual(['time', null, [], 0]);
  });

  test('what is over is so at once, though the answer before is held', async () => {
    let now = Date.parse('2026-06-17T13:00:00-04:00');
    const clocked = createTestApi({ search: { current: () => snapshot }, now: () => now });
    const parametersNow = async () =>
      (await clocked.accepted(path({ ask: 'jazz before 1pm' }))).json.meta.interpretation.parts.at(-1).parameters;
    expect(await parametersNow()).toEqual({ end_date: '2026-06-17T13:00' });
    now += 1;
    expect(await parametersNow()).toBeNull();
    await clocked.close();
  });

  test.each(['today', 'wednesday'])('after midnight, %s is what is left of its night', async (text) => {
    const now = Date.parse('2026-06-18T00:30:00-04:00');
    const rows = askDirectory();
    const late = Array.from(rows.events, (event) =>
      event.title === 'Quiet Trio' ? { ...event, startsAt: now + 3_600_000 } : event,
    );
    const night = buildSnapshot({ ...rows, events: late }, now, PUBLIC_URL);
    const atNight = createTestApi({ search: { current: () => night }, now: () => now });
    const { json } = await atNight.accepted(path({ ask: text }));
    const [{ parameters }] = json.meta.interpretation.parts;
    expect(parameters).toEqual({ end_date: '2026-06-18T05:00' });
    for (const { data } of [json, (await atNight.accepted(path(parameters))).json])
      expect(data.map(({ title }: { title: string }) => title)).toEqual(['Quiet Trio']);
    await atNight.close();
  });

  test('a parameter of the request counts before the text, and the part says so', async () => {
    const { titles, parts: found } = await asked('jazz tomorrow', { when: 'tonight' });
    expect(titles).toEqual(['Free Jazz in the Yard', 'Jazz at the Hall']);
    expect(found.map(({ overriddenBy }: { overriddenBy: string | null }) => overriddenBy)).toEqual([null, 'when']);
    expect((await asked('free jazz', { price_max: '30' })).total).toBe(3);
  });

  test('what is quoted is a word and no filter', async () => {
    expect(await parts('"tonight" jazz')).toEqual(['word tonight', 'word jazz']);
    expect(await parts('tonight jazz')).toEqual(['time tonight', 'word jazz']);
  });

  test('a category that ends the text is not given up: a play is no answer to a concert', async () => {
    const { total, relaxations } = await asked('hamlet concert');
    expect(total).toBe(0);
    expect(relaxations.map(({ ask }: { ask: string }) => ask)).toContain('hamlet');
  });

  test('answers that hold every word come first, then those that lack one', async () => {
    const { titles, complete, total } = await asked('jazz dance');
    expect({ complete, total }).toEqual({ complete: 1, total: 1 });
    expect(titles).toEqual(['Quiet Trio']);
    const some = await asked('hamlet parade');
    expect(some).toMatchObject({ complete: 0, total: 1, titles: ['Dog Parade'] });
  });

  test('offers what would be found without a part, and uses none of it', async () => {
    const { total, relaxations } = await asked('hamlet tonight');
    expect(total).toBe(0);
    expect(relaxations).toEqual([
      { without: 'tonight', ask: 'hamlet', total: 2 },
      { without: 'hamlet', ask: 'tonight', total: 3 },
    ]);
  });

  test('a text needs no other, and relevance needs a text', async () => {
    expect(await api.refusal('/events?ask=jazz&q=jazz')).toMatchObject({ name: 'ask', code: 'conflicting' });
    expect(await api.refusal('/events?sort=relevance')).toMatchObject({ name: 'sort', code: 'needs_text' });
    expect(await api.refusal(path({ ask: 'x'.repeat(201) }))).toMatchObject({ name: 'ask', code: 'too_long' });
    expect(await api.refusal('/events?ask=a%00b')).toMatchObject({ name: 'ask', code: 'control_character' });
  });

  test('an answer without ask has no interpretation', async () => {
    for (const query of ['', '?q=jazz', '?ask=', '?ask=%20']) {
      const { json } = await api.accepted(`/events${query}`);
      expect(Object.keys(json.meta)).toEqual(['total', 'limit', 'offset', 'hasMore']);
    }
  });

  test('q finds no names of performers', async () => {
    expect((await api.accepted('/events?q=tonics&end_date=2030-01-01')).json.meta.total).toBe(0);
    expect((await api.accepted('/events?q="gilly+haynes"&end_date=2030-01-01')).json.meta.total).toBe(0);
  });

  test('relevance orders q: titles before descriptions', async () => {
    const { json } = await api.accepted('/events?q=jazz&sort=relevance');
    expect(json.data.map(({ title }: { title: string }) => title)).toEqual([
      'Free Jazz in the Yard',
      'Jazz at the Hall',
      'Quiet Trio',
    ]);
  });

  test('pages neither repeat nor skip', async () => {
    const whole = (await asked('southside')).titles;
    const paged: string[] = [];
    for (let offset = 0; offset < whole.length; offset += 2)
      paged.push(...(await asked('southside', { limit: '2', offset: String(offset) })).titles);
    expect(paged).toEqual(whole);
  });
});

describe('suggestions', () => {
  const suggested = async (text: string): Promise<string[]> =>
    (await api.accepted(`/suggest?${new URLSearchParams({ ask: text })}`)).json.data.map(
      ({ type, text: name }: { type: string; text: string }) => `${type} ${name}`,
    );

  test.each<[text: string, first: string]>([
    ['ham', 'event Hamlet'],
    ['bell', 'venue Bellwick Hall'],
    ['cafe mul', 'event Café Müller'],
    ['gil', 'performer Gilly Haynes'],
    ['gilly hay', 'performer Gilly Haynes'],
    ['tolliver', 'neighborhood Ashford-Tolliver Heights'],
    ['square gar', 'venue Marble Square Garden'],
    ['msg', 'venue Marble Square Garden'],
  ])('%s', async (text, first) => {
    const found = await suggested(text);
    if (first.startsWith('neighborhood')) expect(found).toEqual([]);
    else expect(found[0]).toBe(first);
  });

  test('each name is suggested once, with its address, and ten at most', async () => {
    expect((await suggested('hamlet')).filter((name) => name === 'event Hamlet')).toHaveLength(1);
    const { json } = await api.accepted('/suggest?ask=b');
    expect(json.data.length).toBeLessThanOrEqual(10);
    expect(json.meta).toEqual({ total: json.data.length });
    expect(json.data.find(({ type }: { type: string }) => type === 'event')).toMatchObject({
      slug: expect.any(String),
      id: expect.any(String),
    });
    expect((await api.accepted('/suggest')).json).toEqual({ data: [], meta: { total: 0 } });
  });

  test('any text is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 100 }), async (text) => {
        const { status } = await api.ask(`/suggest?${new URLSearchParams({ ask: text })}`);
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });
});

test('the text without a part is understood without it', async () => {
  const pieces = [
    'free',
    'jazz',
    'tonight',
    'in bellwick',
    'comedy',
    'at nowhere',
    'under $20',
    'hamlet',
    'saturday',
    'dock street',
  ];
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }), async (chosen) => {
      const text = chosen.join(' ');
      const { parts: all } = await asked(text);
      for (const removed of all) {
        const left = removed.without === '' ? [] : await parts(removed.without);
        const expected = all.filter((other: object) => other !== removed);
        // An hour or a place may be read anew; nothing that was not typed appears.
        expect(left.length, `${text} - ${removed.text}`).toBe(expected.length);
        expect(left).not.toContain(`${removed.kind} ${removed.text}`);
      }
    }),
    { numRuns: 150 },
  );
});

test('any text is answered, whatever it holds', async () => {
  const words = fc.constantFrom(
    'jazz',
    'the',
    'at',
    '"',
    '$',
    '< 5',
    'fri',
    '31 june',
    '99 pm',
    'after',
    '4th',
    '東京',
    'é',
    '@',
    'next',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 150 }),
    fc.array(words, { maxLength: 30 }).map((some) => some.join(' ').slice(0, 200)),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const { status, json } = await api.ask(path({ ask: text }));
      if (status === 400) return;
      expect(status).toBe(200);
      for (const { from, to, text: typed } of json.meta.interpretation?.parts ?? [])
        expect(Array.from(text.trim().normalize('NFC')).slice(from, to).join('')).toBe(typed);
    }),
    { numRuns: 400 },
  );
});

function part(
  kind: string,
  text: string,
  from: number,
  means: string,
  parameters: Record<string, string> | null,
  without: string,
) {
  return { kind, text, from, to: from + text.length, means, parameters, without, overriddenBy: null };
}
