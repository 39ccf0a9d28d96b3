import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ApiRequest,
  curlLines,
  javascriptLines,
  pythonLines,
  quoteForJavaScript,
  quoteForPython,
  quoteForShell,
  targetOf,
} from '../../src/web/model/playground/lines.ts';
import { codePoint } from '../support/records/code-point.ts';

const run = promisify(execFile);
const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom("'", '"', '\\', '`', '$', '{', '}', '(', '!', '\n', '\r', ' ', '%', '&', '#', '\u2028', '\u202e'),
    maxLength: 12,
  }),
);
const anyRequest: fc.Arbitrary<ApiRequest> = fc.record({
  base: fc.constant('https://events.example.org/api/v1'),
  path: fc.constantFrom('/events', '/venues/{id}/events'),
  id: anyText,
  query: fc.uniqueArray(fc.tuple(fc.constantFrom('q', 'category', 'start-date', 'b'), anyText), { selector: ([name]) => name }),
});
/** What a server reads of a target. */
const read = (target: string) => [...new URLSearchParams(target.split('?')[1] ?? '')];
const wellFormed = (query: ApiRequest['query']) => query.map(([name, value]) => [name, value.toWellFormed()]);

describe('the lines of a request', () => {
  test('ask for exactly what was filled in, whatever it holds', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const target = targetOf(request);
        expect(target).toMatch(/^\/[\x21-\x7e]*$/);
        expect(read(target)).toEqual(wellFormed(request.query));
        expect(decodeURIComponent(target.split('?')[0]!)).toBe(request.path.replace('{id}', () => request.id.toWellFormed()));
      }),
    );
  });

  test('give the shell one word for any text', async () => {
    const texts = fc.sample(anyText, 300).map((text) => text.replaceAll('\0', ''));
    const script = `printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`;
    const { stdout } = await run('/bin/sh', ['-c', script], { encoding: 'buffer' });
    expect(stdout.toString().split('\0').slice(0, -1)).toEqual(texts.map((text) => Buffer.from(text).toString()));
  });

  test('are a literal of JavaScript that means the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const literal = quoteForJavaScript(text);
        expect(literal).not.toMatch(/[\n\r\u2028\u2029\u202e]/);
        expect(new Function(`return ${literal}`)()).toBe(text.toWellFormed());
      }),
    );
  });

  test('ask with curl and with JavaScript for the same', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const asked: string[] = [];
        const fetch = async (url: string, { headers }: { headers: Record<string, string> }) => {
          asked.push(url, headers['X-API-Key'] ?? '');
          return { ok: true, json: async () => ({ data: [] }) };
        };
        const body = javascriptLines(request);
        const program = new Function('fetch', 'process', 'console', `return (async () => {${body}\n})()`);
        await program(fetch, { env: { MARQUEE_KEY: 'key' } }, { log() {} });
        const [url = '', key] = asked;
        expect(key).toBe('key');
        expect(url.split('?')[0]).toBe(request.base + targetOf(request).split('?')[0]);
        expect(read(url)).toEqual(wellFormed(request.query));
        expect(curlLines(request).split('\\\n  ')[1]).toBe(quoteForShell(request.base + targetOf(request)));
      }),
    );
  });

  test('are a literal of Python that means the text, and parse', async ({ skip }) => {
    const found = await run('python3', ['--version']).then(
      () => true,
      () => false,
    );
    if (!found) return skip('no Python here');
    const texts = fc.sample(anyText, 300);
    const requests = fc.sample(anyRequest, 50).map(pythonLines);
    const program = `import ast, json\nprint(json.dumps([${texts.map(quoteForPython).join(', ')}]))\nfor text in json.loads(${quoteForPython(JSON.stringify(requests))}):\n    ast.parse(text)`;
    const { stdout } = await run('python3', ['-c', program.replaceAll('\0', '')]);
    expect(JSON.parse(stdout)).toEqual(texts.map((text) => text.toWellFormed()));
  });
});
