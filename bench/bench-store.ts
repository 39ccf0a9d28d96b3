/** The store that the commands of a bench use: that of the data folder, or that of DATABASE_URL. */

import { openStore, type Store } from '../src/store/index.ts';

export const openBenchStore = (dataDir: string): Promise<Store> => {
  const { DATABASE_URL: databaseUrl } = process.env;
  return openStore({ dataDir, ...(databaseUrl && { databaseUrl }) });
};
