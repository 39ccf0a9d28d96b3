import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { HEADERS } from '../../src/api/openapi.ts';
import { PARAMETER_FAULTS, PROBLEMS } from '../../src/http/problems.ts';
import { TRENDING_REASONS } from '../../src/search/index.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const api = read('docs/api.md');
const errors = read('docs/errors.md');

/** The cells of the first table after a heading, without its two head rows. */
function tableAfter(page: string, heading: string): string[][] {
  const at = `\n${page}`.indexOf(`\n${heading}\n`);
  expect(at, heading).toBeGreaterThanOrEqual(0);
  const section = page.slice(at + heading.length + 1).split(/\n#+ /, 1)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
const code = (cell = '') => cell.replaceAll('`', '');

describe('docs/api.md', () => {
  test('lists the endpoints of the table, with tier and metering', () => {
    expect(
      tableAfter(api, '## Endpoints').map(([path, tier, metered, summary]) => [code(path), tier, metered === 'yes', summary]),
    ).toEqual(ROUTES.map(({ path, tier, metered, summary }) => [path, tier, metered, summary]));
  });
  test.each(ROUTES)('lists the parameters of $path', ({ path, parameters }) => {
    expect(tableAfter(api, `### GET ${path}`).map(([name]) => code(name))).toEqual(Object.keys(parameters));
  });
  test('lists the reasons why nothing trends, and no other', () => {
    const [, section = ''] = api.split('### GET /trending\n', 2);
    const listed = [...section.split('\n### ', 1)[0]!.matchAll(/^- `(\w+)`:/gm)].map(([, reason]) => reason);
    expect(listed).toEqual(Object.keys(TRENDING_REASONS));
  });
  test('lists the headers that answers can carry', () => {
    expect(
      tableAfter(api, '## Answers')
        .map(([name]) => code(name))
        .sort(),
    ).toEqual(Object.keys(HEADERS).sort());
  });
});

describe('docs/errors.md', () => {
  test('lists the codes of the table with their meaning', () => {
    expect(tableAfter(errors, '# Errors').map(([name, ...rest]) => [code(name), ...rest])).toEqual(
      Object.entries(PROBLEMS).map(([name, { status, meaning, remedy }]) => [name, String(status), meaning, remedy]),
    );
  });
  test('lists the codes of single parameters', () => {
    const documented = tableAfter(errors, '## Codes of single parameters');
    expect(documented.map(([name, meaning]) => [code(name), meaning])).toEqual(Object.entries(PARAMETER_FAULTS));
  });
});
