import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/config.ts';
import { PROVIDER_KINDS, PROVIDERS } from '../../src/providers/index.ts';
import { quoted, read, tableRows } from '../house/source-tree.ts';

const PAGE = 'docs/providers.md';

describe('the page of the providers', () => {
  it('lists every kind with its mapping and its setting, and no other', () => {
    const rows = tableRows(PAGE, 'kind').map(([kind = '', , mapping, key = '']) => [
      quoted(kind)[0],
      mapping,
      quoted(key)[0] ?? null,
    ]);
    const expected = PROVIDERS.map(({ kind, mapping, keySetting }) => [kind, mapping, keySetting]);
    expect(rows.toSorted()).toEqual(expected.toSorted());
  });

  it('has one section for every kind, and no other', () => {
    const kinds = read(PAGE).split('\n## The kinds\n')[1]?.split('\n## ')[0] ?? '';
    const headings = [...kinds.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.length).toBeGreaterThan(5);
    expect(headings.toSorted()).toEqual(PROVIDER_KINDS.toSorted());
  });

  it('asks for keys that are secret settings, and every key is asked for', () => {
    const keys = SETTINGS.filter((setting) => 'isProviderKey' in setting);
    expect(keys.every((setting) => setting.secret)).toBe(true);
    const asked = PROVIDERS.map(({ keySetting }) => keySetting).filter((name) => name !== null);
    expect(asked.toSorted()).toEqual(keys.map(({ name }) => String(name)).toSorted());
  });
});
