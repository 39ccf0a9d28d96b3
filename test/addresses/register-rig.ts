/** A register of addresses in a database of its own, and a folder for the files that are imported into it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AddressImport,
  type AddressPlacer,
  importAddressFile,
  loadPlacer,
  openAddressFile,
} from '../../src/addresses/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { FERNMOOR } from './towns.ts';

interface RegisterRig {
  db: TestStore['store']['db'];
  /** Writes a file of this name, and imports it. */
  importText(name: string, content: string | Buffer, credit?: string): Promise<AddressImport>;
  placer(city?: typeof FERNMOOR): Promise<AddressPlacer>;
  dispose(): Promise<void>;
}

export async function openRegister(): Promise<RegisterRig> {
  const { folder, remove } = temporaryFolder();
  const { store, dispose } = await openTestStore();
  const { db } = store;
  const now = Date.UTC(2026, 5, 16);
  return {
    db,
    async importText(name, content, credit = 'City of Fernmoor') {
      const path = join(folder, name);
      writeFileSync(path, content);
      return await importAddressFile(db, await openAddressFile(path), { name, credit, now });
    },
    placer: (city = FERNMOOR) => loadPlacer(db, { city, areas: { find: () => null }, venues: [] }),
    async dispose() {
      remove();
      await dispose();
    },
  };
}
