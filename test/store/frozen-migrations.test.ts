/** Migrations that were published are frozen: databases out there remember them, and are opened by every later version. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parseTar } from 'nanotar';
import { afterAll, expect, test } from 'vitest';
import { readMigrations } from '../../src/store/migrate.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { ask, startService } from '../support/rigs/service.ts';

/** Made by `frozen/make-data-folder.sh`. */
const FOLDER_0017 = new URL('./frozen/data-folder-0017.tar.zst', import.meta.url);
/** SHA-256 of each file. A migration is added to this list when it is published, and never changed again. */
const FROZEN: Readonly<Record<string, string>> = {
  '0001-directory': '9cd5252aed88ba1bdc7f6d2e641803e1200e8c3db4bd3dbd3918cc20f7b17bfa',
  '0002-accounts': '7f43f2cd91fd6c68dcb15ace4e4b464bade012348ae9f5e0f871e410d653d990',
  '0003-identity': '2e948957a30c2e084523a966ef7303cf272a0bd40088fd655aa81b7c392ee0fa',
  '0004-ranking': 'b7e99469d55fb286c5d225f8a3363f066646ae9b4be2f9868a86402159ee6ef8',
  '0005-dashboard': '3ef5b86fad2f97ac0af40f2e95d88422104306eb1b852346c1ef1e43fc8ea8d2',
  '0006-digests': '062514412189d9f347fca98d070f6330576172cab3c83606cec153c1154c3473',
  '0007-usage': 'b5ba6b1cde082a2177ff57635519a43cd43c5c741f3e876b4051a5cf3dbcf7d9',
  '0008-billing': '24d83f940a8210379b6821899eb5461b37f54191ccc33271b009735dd896e13d',
  '0009-corrections': '7ef5ff17b53c1f29cea346cf36b7209871027216c6452f1cfc906f774dc41f84',
  '0010-desk': '05604908e112cf993366d2991471c58429e71e365343393457444f68beb108ba',
  '0011-statistics': '3e59cf332560c1e57c03deebb3a4cc4ec97e1c4bd764e2e13d630aeb0e2c8cc4',
  '0012-no-provenance': '89d9f77753f39846dd0563a9a1345d468f34d1ddfc701400fa4befb5de505f2b',
  '0013-spent-codes': 'e4a678d9a248186d3b3d944b9cd042de88810504e02db9962a3815ae3b2c96b2',
  '0014-paused-payments': '6fa924b6dd8ba5c88662776db6a9844baa8eb4924ce238ff4ab06d2640858266',
  '0015-usage-by-key': 'd9e259aee66c0e672c8ca74b639592a6dc4f1b8a67b8633642427ae41212c231',
  '0016-idle-indexes': '5cbe9e3e0bc096e9b1a0901f1d7ab610ff048db1acc141985e3fc5456ce151ee',
  '0017-present-score': '1ae8bf9a02657b3832bced54729044283442fd69b005b284da289f35f91da518',
};

const { folder, remove } = temporaryFolder();
afterAll(remove);

test('no migration that was published has been edited, renamed or removed', () => {
  const now = Object.fromEntries(readMigrations().map(({ name, checksum }) => [name, checksum]));
  expect(now).toMatchObject(FROZEN);
  expect(Object.keys(now).slice(0, Object.keys(FROZEN).length)).toEqual(Object.keys(FROZEN));
});

test('a data folder of the version of migration 0017 is opened, and its keys and events are served', async () => {
  for (const { name, type, data } of parseTar(zstdDecompressSync(readFileSync(FOLDER_0017)))) {
    if (type === 'directory') mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    else writeFileSync(join(folder, name), data ?? '', { mode: 0o600 });
  }
  const key = readFileSync(join(folder, 'key'), 'utf8').trim();
  const service = await startService(['serve'], { MARQUEE_DATA_DIR: folder, MARQUEE_NOW: '2096-06-19T12:00:00Z' });
  const events = await ask(service, '/events', key);
  expect(events.status).toBe(200);
  expect(events.body.data.map((event: { title: string }) => event.title).sort()).toEqual([
    'Morning of Books',
    'Night of Drums',
    'Night of Fiddles',
  ]);
  expect((await ask(service, '/usage', key)).body.data.tier).toBe('growth');
  expect(await service.stop()).toBe(0);
});
