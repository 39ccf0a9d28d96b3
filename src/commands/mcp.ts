/** `mcp`: the MCP server over the standard streams, for an assistant that runs on this machine. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import { loadCityMap } from '../embeds/index.ts';
import { createMcpServer, serveStdio } from '../mcp/index.ts';
import { loadLastChangeTime } from '../records/index.ts';
import { beginSearch, createChangeReader } from '../search/index.ts';
import { notedAddress } from '../site-address.ts';
import { baseUrl } from '../values/base-url.ts';

export function mcpCommand(context: Context): Command {
  return new Command('mcp')
    .description('answers an assistant over standard input and output, with the tools of /mcp; needs no running service')
    .action(() =>
      context.withStore(async (store) => {
        const { config, log } = context;
        const { nowSetting, clocks, host, port } = config;
        const publicUrl = config.publicUrl ?? notedAddress(config.dataDir) ?? baseUrl(host, port);
        const search = await beginSearch({ dataDir: undefined, publicUrl, nowSetting, log }).open(store.address);
        const ending = new AbortController();
        const changes = createChangeReader({
          db: store.db,
          commitWatcher: store.createCommitWatcher(),
          publicUrl,
          now: clocks.directory,
        });
        const loadChangedAt = () => loadLastChangeTime(store.db);
        const loadMap = () => loadCityMap(store.db);
        try {
          const options = { search, changes, publicUrl: () => publicUrl, clocks, loadChangedAt, loadMap };
          const table = createMcpServer(options, ending.signal);
          await serveStdio(table, (err, method) => log.error({ err, method }, 'an MCP method failed'));
        } finally {
          ending.abort();
          await search.close();
        }
      }),
    );
}
