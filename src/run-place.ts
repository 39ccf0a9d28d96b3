/** Where runs of sources take place, from the settings. Holds keys of providers: never log it. */

import type { Config } from './config.ts';
import type { ProcessPlace } from './ingest/index.ts';
import { PROVIDERS } from './providers/index.ts';

/** What the process of a run is told of the settings. */
export function runPlace({ dataDir, databaseUrl, nowSetting, allowedHosts, userAgent, geocoder, keyOf }: Config): ProcessPlace {
  const keys = PROVIDERS.flatMap(({ keySetting }) => {
    const key = keySetting === null ? null : keyOf(keySetting);
    return keySetting === null || key === null ? [] : [[keySetting, key] as const];
  });
  return {
    store: { dataDir, databaseUrl: databaseUrl ?? undefined },
    nowSetting,
    allowedHosts,
    userAgent,
    geocoder,
    providerKeys: Object.fromEntries(keys),
  };
}
