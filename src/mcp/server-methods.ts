/** Methods that tell what the server is: `server/discover`, and `initialize` of the older revisions. */

import type { McpMethods } from './protocol/dispatcher.ts';
import type { JsonObject } from './protocol/message.ts';
import { OLDER_REVISIONS, REVISIONS } from './protocol/revisions.ts';

export interface ServerDescription {
  serverInfo: JsonObject;
  instructions: string;
  capabilities: JsonObject;
}

export function createServerMethods({ serverInfo, instructions, capabilities }: ServerDescription): McpMethods {
  return {
    'server/discover': {
      era: 'current',
      cache: { ttlMs: 3_600_000, cacheScope: 'public' },
      run: () => ({ supportedVersions: REVISIONS, capabilities, serverInfo, instructions }),
    },
    initialize: {
      era: 'older',
      run({ params: { protocolVersion } }) {
        const known = OLDER_REVISIONS.find((revision) => revision === protocolVersion);
        return { protocolVersion: known ?? OLDER_REVISIONS[0], capabilities, serverInfo, instructions };
      },
    },
    ping: { era: 'older', run: () => ({}) },
  };
}
