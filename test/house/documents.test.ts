import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TIERS } from '../../src/accounts/index.ts';
import { FORM_ROUTES, ROUTES } from '../../src/api/index.ts';
import { SETTINGS } from '../../src/config.ts';
import { DISTRICTS } from '../../src/demo/neighborhoods.ts';
import { marqueeHere } from '../support/rigs/service.ts';
import { allTableRows, files, quoted, read, tableRows } from './source-tree.ts';

describe('the documents', () => {
  it('list every setting as the table in the code has it, and no other', () => {
    const rows = tableRows('docs/settings.md', 'setting').map(([name = '', fallback, meaning = '']) => [
      quoted(name)[0],
      fallback,
      meaning,
    ]);
    const expected = SETTINGS.map((setting) => [setting.name, setting.fallback, setting.meaning]);
    expect(rows).toEqual(expected);
  });

  it('describe every endpoint under a heading, and no other', () => {
    const headings = [...read('docs/api.md').matchAll(/^#{2,4} `?GET ([^`\n]+?)`?$/gm)].map(([, path = '']) =>
      path.replace(/:(\w+)/g, '{$1}'),
    );
    expect(headings.length).toBeGreaterThan(0);
    expect(headings.sort()).toEqual(ROUTES.map((route) => route.path).sort());
  });

  it('list every other form of a list with tier, metering and what it answers, and no other', () => {
    const rows = tableRows('docs/formats.md', 'path').map(([path = '', tier, metered, summary]) => [
      quoted(path)[0],
      tier,
      metered === 'yes',
      summary,
    ]);
    expect(rows).toEqual(FORM_ROUTES.map(({ path, tier, metered, summary }) => [path, tier, metered, summary]));
  });

  it('name the parameters by which the forms differ from their lists', () => {
    const told = tableRows('docs/formats.md', 'parameter').map(([name = '', paths = '']) => ({
      name: quoted(name)[0],
      paths: quoted(paths),
    }));
    for (const { path, form, parameters } of FORM_ROUTES) {
      const list = ROUTES.find((route) => route.path === form?.of);
      const common = Object.keys(list?.parameters ?? {}).filter((name) => !['ask', 'include', 'fields', 'facets'].includes(name));
      const further = told.filter(({ paths }) => paths.includes(path)).map(({ name }) => name);
      expect(Object.keys(parameters).sort(), path).toEqual([...common, ...further].sort());
    }
  });

  it('price the tiers as the code does', () => {
    const figures = (text = '') => Number(text.replace(/[^\d]/g, ''));
    const rows = tableRows('docs/api.md', 'tier').map(([tier = '', price, day, minute]) => [
      tier.replaceAll('`', '').toLowerCase(),
      figures(price),
      figures(day),
      figures(minute),
    ]);
    expect(rows).toEqual(
      Object.entries(TIERS).map(([tier, { priceUsd, perDay, perMinute }]) => [tier, priceUsd, perDay, perMinute]),
    );
  });

  it('list every command with its options, and no other', async () => {
    const rows = tableRows('docs/operations.md', 'command').map(([cell = '']) => {
      const [text = ''] = quoted(cell);
      const name = text.replace(/ [<[-].*$/, '');
      return `${name} ${[...text.matchAll(/--[a-z-]+/g)].map(String).sort().join(' ')}`.trim();
    });
    expect(rows.sort()).toEqual((await commandsUnder([])).sort());
  });

  it('give one line to each runtime dependency, and to nothing else', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const rows = tableRows('docs/decisions.md', 'package');
    expect(rows.map(([name = '']) => quoted(name)[0])).toEqual(Object.keys(dependencies));
    for (const [name, reason = ''] of rows) expect(`${name} ${reason}`).toMatch(/\w+ .{20,}/);
  });

  it('pin every dependency to one version', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it('name only tests that exist as proof of reliability', () => {
    const rows = allTableRows('docs/reliability.md', 'row');
    expect(rows.length).toBeGreaterThan(200);
    const missing: string[] = [];
    for (const [row = '', , held = ''] of rows) {
      const proofs = quoted(held);
      if (proofs.length === 0) missing.push(`${row}: no test`);
      for (const proof of proofs) {
        const [file = '', ...names] = proof.split(' › ');
        const source = files.includes(file) ? read(file).replace(/\\(['"`])/g, '$1') : '';
        if (names.length === 0 || !names.every((name) => source.includes(name))) missing.push(`${row}: ${proof}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('have a changelog entry for this version or an unreleased one', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read('CHANGELOG.md')).toMatch(/^## \[Unreleased\]$/m);
    expect(read('CHANGELOG.md')).toContain(`## [${version}]`);
  });

  it('link only to files and headings that exist', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)/g)]
        .map(([, target = '', anchor = '']) => ({
          file: target ? new URL(target, `file:///${page}`).pathname.slice(1) : page,
          anchor,
        }))
        .filter(({ file, anchor }) => !files.includes(file) || (anchor && !anchorsOf(file).includes(anchor.slice(1))))
        .map(({ file, anchor }) => `${page} → ${file}${anchor}`),
    );
    expect(pages.length).toBeGreaterThan(8);
    expect(dead).toEqual([]);
  });

  it('show neighborhoods that the demo city has, so that a copied line finds something', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    const shown = pages.flatMap((page) =>
      [...read(page).matchAll(/(?:neighborhood=|\/neighborhoods\/)([a-z][\w-]*)/g)].map(([, slug = '']) => ({ page, slug })),
    );
    expect(shown.length).toBeGreaterThan(1);
    const slugs = DISTRICTS.map((district) => district.slug);
    expect(shown.filter(({ slug }) => !slugs.includes(slug))).toEqual([]);
  });

  it('show only pictures that are small and described', () => {
    const pictures = files.filter((file) => file.startsWith('docs/screenshots/'));
    const shown = [...read('README.md').matchAll(/!\[([^\]]{20,})\]\(([^)]+)\)/g)].map(([, , file = '']) => file);
    expect(pictures.length).toBeGreaterThan(1);
    expect(shown.sort()).toEqual(pictures);
    expect(pictures.filter((file) => statSync(join(ROOT, file)).size > MAX_PICTURE_BYTES)).toEqual([]);
  });

  it('name only files of the code that exist', () => {
    const pages = files.filter((file) => file.endsWith('.md'));
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs))\b/g)].map(([, file = '']) => ({ page, file })),
    );
    expect(named.length).toBeGreaterThan(100);
    const missing = named.filter(({ file }) => !CODE_ROOTS.some((root) => files.includes(`${root}${file}`)));
    expect(missing).toEqual([]);
  });

  it('name only folders of the code that exist', () => {
    const pages = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`((?:src|test|bench|quality)\/(?:[\w.-]+\/)+)`/g)].map(([, folder = '']) => ({ page, folder })),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ folder }) => !files.some((file) => file.startsWith(folder)))).toEqual([]);
  });
});

/** `key rotate --grace` for every command below, as `--help` tells a person. */
async function commandsUnder(words: readonly string[]): Promise<string[]> {
  const help = await helpOf(words);
  const names = sectionOf(help, 'Commands')
    .map((line) => line.split(/[ |]/)[0] ?? '')
    .filter((name) => name !== 'help');
  if (names.length > 0) return (await inTurn(names, (name) => commandsUnder([...words, name]))).flat();
  const options = sectionOf(help, 'Options')
    .flatMap((line) => /--[a-z-]+/.exec(line)?.[0] ?? [])
    .filter((option) => option !== '--help');
  return [`${words.join(' ')} ${options.sort().join(' ')}`.trim()];
}

const helpOf = async (words: readonly string[]): Promise<string> => (await marqueeHere([...words, '--help'], {})).stdout;

/** The first words of each entry under a heading of a help text; continued lines are indented deeper. */
function sectionOf(help: string, heading: string): string[] {
  const [, section = ''] = new RegExp(`^${heading}:\\n((?:  .*\\n?)*)`, 'm').exec(help) ?? [];
  return section
    .split('\n')
    .filter((line) => /^ {2}\S/.test(line))
    .map((line) => line.trim());
}

async function inTurn<T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of list) results.push(await work(item));
  return results;
}

const ROOT = new URL('../../', import.meta.url).pathname;
const MAX_PICTURE_BYTES = 200_000;
/** A page may name a file from the root, from `src`, or from the pages' room. */
const CODE_ROOTS = ['', 'src/', 'src/web/'];

/** As GitHub makes them of headings. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
