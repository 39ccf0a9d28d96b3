import { expect, test } from 'vitest';
import { MCP_DOCUMENTS } from '../../src/mcp/documents.ts';
import { EVENT_KINDS } from '../../src/mcp/events/event-kinds.ts';
import { MCP_ERRORS } from '../../src/mcp/protocol/errors.ts';
import { REVISIONS } from '../../src/mcp/protocol/revisions.ts';
import { MCP_TOOLS } from '../../src/mcp/tools/tools.ts';
import { quoted, read, tableRows } from '../house/source-tree.ts';

test('docs/mcp.md has every tool as the table in the code has it, and no other', () => {
  const rows = tableRows('docs/mcp.md', 'tool').map(([name = '', tier = '', calls, does]) => [
    quoted(name)[0],
    quoted(tier)[0] ?? null,
    Number(calls),
    does,
  ]);
  expect(rows).toEqual(MCP_TOOLS.map(({ name, tier, cost, description }) => [name, tier, cost, description]));
});

test('docs/mcp.md names every error and revision', () => {
  const told = [...read('docs/mcp.md').matchAll(/-32\d{3}/g)].map(([code]) => Number(code));
  const codes = Object.values(MCP_ERRORS).map(({ code }) => code);
  expect(codes.filter((code) => !told.includes(code))).toEqual([-32021]);
  for (const revision of REVISIONS) expect(read('docs/mcp.md')).toContain(revision);
});

test('docs/mcp.md has every type of event and every document', () => {
  const kinds = tableRows('docs/mcp.md', 'event').map(([name = '', when]) => [quoted(name)[0], when]);
  expect(kinds).toEqual(EVENT_KINDS.map(({ name, description }) => [name, description]));
  const paths = tableRows('docs/mcp.md', 'path').map(([path = '']) => quoted(path)[0]);
  expect(paths).toEqual(MCP_DOCUMENTS.map(({ path }) => path));
});
