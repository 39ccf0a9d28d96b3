import { describe, expect, it } from 'vitest';
import { isAllowedHost } from '../../src/outbound/index.ts';
import { LIMITS } from '../../src/outbound/limits.ts';
import { OUTBOUND_CODES } from '../../src/outbound/model.ts';
import { quoted, tableRows } from '../house/source-tree.ts';

describe('the page on outgoing requests', () => {
  it('has the limits of the code, and no other', () => {
    const rows = tableRows('docs/outbound.md', 'limit').map(([name = '', value]) => [quoted(name)[0], value]);
    expect(rows).toEqual(Object.entries(LIMITS).map(([name, value]) => [name, String(value)]));
  });

  it('has the outcomes of the code, and no other', () => {
    expect(tableRows('docs/outbound.md', 'code').map(([code = '']) => quoted(code)[0])).toEqual([...OUTBOUND_CODES]);
  });

  it('shows entries of the list that are such', () => {
    const entries = tableRows('docs/outbound.md', 'entry').flatMap(([entry = '']) => quoted(entry));
    expect(entries.length).toBeGreaterThan(3);
    expect(entries.filter((entry) => !isAllowedHost(entry))).toEqual([]);
  });
});
