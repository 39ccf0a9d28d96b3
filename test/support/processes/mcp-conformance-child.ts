/** Serves the fixtures of the protocol's conformance runner behind our dispatcher, until it is killed. Prints its address. */

import { MCP_FIXTURES } from '../fakes/mcp-fixtures.ts';
import { createTestMcp } from '../rigs/mcp.ts';

const { url } = await createTestMcp({
  table: MCP_FIXTURES,
  limits: { callsPerNetwork: 100_000, callsPerSite: 100_000, callsInAll: 100_000, requestsPerNetwork: 100_000 },
});
process.stdout.write(`${url}\n`);
