/** Arguments as models write them. One engine is enough: nothing is stored. */

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArguments } from '../../src/mcp/tools/read-arguments.ts';
import type { ArgumentSchema } from '../../src/mcp/tools/tool.ts';
import { MCP_TOOLS } from '../../src/mcp/tools/tools.ts';
import { askMcp, createTestMcp, type TestMcp } from '../support/rigs/mcp.ts';

const inputs = MCP_TOOLS.flatMap(({ name: tool, input }) =>
  Object.entries(input.properties).map(([name, schema]) => ({ tool, input, name, schema })),
);

/** A right value of each kind. */
function rightValue({
  type,
  enum: words,
  items,
  minimum = 0,
  maximum = 10_000,
  properties = {},
}: ArgumentSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc.integer({ min: minimum, max: Math.min(80, maximum) }).map((tenths) => tenths / 10);
    case 'array':
      return fc.uniqueArray(rightValue(items ?? { type: 'string' }), { minLength: 1, maxLength: 4 });
    case 'object':
      return fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, rightValue(schema)])));
    case 'string':
      return words ? fc.constantFrom(...words) : fc.constantFrom('jazz', '2026-11-21', 'tonight', '7', 'o8');
  }
}

/** The same value as models write it. */
function writtenAs(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const python = `[${value.map((each) => `'${each}'`).join(', ')}]`;
    return [value, JSON.stringify(value), python, value.join(','), value.join(', '), ...(value.length === 1 ? value : [])];
  }
  if (typeof value === 'object') return [value, JSON.stringify(value), JSON.stringify(value).replaceAll('"', "'"), [value]];
  if (typeof value === 'boolean') {
    const [small, big, word] = value ? ['true', 'True', 'yes'] : ['false', 'False', 'no'];
    return [value, small, big, word, small.toUpperCase(), ` ${small} `, Number(value), String(Number(value)), [value], [small]];
  }
  if (typeof value === 'number') return [value, String(value), ` ${value} `, `"${value}"`, [value], [String(value)]];
  return [value, [value], ` ${value} `];
}

describe('an argument', () => {
  it.each(inputs)('$tool: $name is the same value in every form in which models write it', ({ input, name, schema }) => {
    fc.assert(
      fc.property(rightValue(schema), (value) => {
        for (const written of writtenAs(value)) {
          const { values, mistakes } = readArguments(input, { [name]: written });
          expect(mistakes, JSON.stringify(written)).toEqual([]);
          expect(values[name], JSON.stringify(written)).toEqual(value);
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each(inputs)('$tool: $name counts as left out if it says that there is nothing', ({ input, name }) => {
    const left = readArguments(input, {});
    const words = name === 'q' ? [] : ['null', 'None', ' undefined ', 'nil'];
    for (const nothing of [null, '', [], ...words]) {
      const { values, mistakes, readings } = readArguments(input, { [name]: nothing });
      expect({ values, mistakes }).toEqual({ values: left.values, mistakes: [] });
      expect(readings.length).toBe(words.some((word) => word === nothing) ? 1 : 0);
    }
  });

  it('that may mean two things is a mistake', () => {
    const search = MCP_TOOLS.find(({ name }) => name === 'search_events')?.input ?? { type: 'object', properties: {} };
    const wrong = { limit: 'five', free: 'maybe', near: '43.5,-87.8', category: ['jazzz'], q: ['a', 'b'], price_max: true };
    for (const [name, value] of Object.entries(wrong)) expect(readArguments(search, { [name]: value }).mistakes).toHaveLength(1);
    expect(readArguments(search, { q: 'none' }).values.q).toBe('none');
  });
});

describe('a call', () => {
  let mcp: TestMcp;
  beforeAll(async () => {
    mcp = await createTestMcp();
  });
  afterAll(() => mcp.close());

  it.each([[undefined], [null], [''], [[]], ['{}'], [{}]])('without arguments may say so by %j', async (given) => {
    for (const name of ['search_events', 'search_venues', 'city_overview']) {
      const { json } = await askMcp(mcp.url, 'tools/call', { name, arguments: given });
      expect(json.result?.isError ?? json, name).toBe(false);
    }
  });

  it('may have its arguments as one text', async () => {
    const { json } = await askMcp(mcp.url, 'tools/call', { name: 'search_events', arguments: '{"limit": "1"}' });
    expect(json.result.structuredContent.shown).toBe(1);
  });

  it('of a prompt may have numbers', async () => {
    const { json } = await askMcp(mcp.url, 'prompts/get', { name: 'plan_my_evening', arguments: { budget: 20 } });
    expect(JSON.stringify(json.result)).toContain('A ticket may cost 20 at most');
  });
});
