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
/** SHA-256 of each file, up to version 0.1.0. A migration is added to this list when it is published, and never changed again. */
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
  '0018-request-minutes': '90083248d4e2e0f22b996a1689f21ae70e97d95949425a042202323e05e9cfac',
  '0019-session-digests': '99320b5a24b449bfda617d2965ebc095a09dc76af0d007dbe1a0a4277df993b4',
  '0020-clean-up': '8fe037a634dd52ce14dd714db9cc29a1b498333c106de9b22b36b9a6660491aa',
  '0021-feeds': '43b42af214c7d4fb58b882f990c5f98dc621cc35e783f13e12c7bbb2cc73187e',
  '0022-change-log': '3d42901cf8a35bb7c1fde21ada4468144dc8ad2fe6e2d1e0384983188349ce7c',
  '0023-no-job-queue': '4422c30d061fa1bac28f6c7b611a4f9cb786de87b0abe5fb31f8a21f0368342a',
  '0024-merged-events': '2a0b29de2c440b4634ff482d04dc8f3111ce3614e35c0997a6d2f45d47687054',
  '0025-exports': '51b6f573030cadddd6f24712491e955378f6bf706f81543a44a85ada546b7ef2',
  '0026-webhooks': '5ed3088b23b6dd9f1bfdc2a9e8eeb0f9229b0f2ac62311957b51ef72f5cb9d91',
  '0027-webhook-days': '18eeda22af47a442542d4e26a8f24e79c82ad51783727dfc0cea1a5368eabe8e',
  '0028-repairs': '879d1c593de182d0a810036c694c0929debe8d59b6827b75fca3b866562d2002',
  '0029-location-precision': '958f276e5a1de11a9d4c8b39de67c33c9f72b54099d232d248e57f8eedd93220',
  '0030-co-listings': '3029f4a27037aa459b5fa6edbbceb94ebb259393af02b9d542114edd6364b8bb',
  '0031-score-context': '3744266fb3652bff29f363951b178192e61b17c821a088d2bdca99764b2ce527',
  '0032-service-level': 'd7d42f78ce63730268b66363b02cb92ded613ea48e706578e280c71e2dd142d0',
  '0033-mcp-subscriptions': '70cd524c50c1a69a450a4c3d8bf52e643116aa76bf4fe9f9ad16f2080db63dcd',
  '0034-event-links': '0185cd0e536487a8989b75e325b3a9f71ab15a1d94f9c3ed6253fe6f5da8ae05',
  '0035-embeds': 'cf3ac03fd38874f989683df8c185eab2386ec3005487720a7785478de7c83f23',
  '0036-test-keys': '16dde333ed26f35f87c24b554112401cee13d51b402665c4f6d593a21a529b15',
  '0037-problem-reports': '02ef2fe711d8a1a46686e5aaf043581750693224d4672046ddfecf76589c7990',
  '0038-serving-processes': '5b22539e5ea3cb174f0c2149326e7200304fdbb75a60299a3479c56d8d5574a7',
  '0039-list-history': '5db260162c1ae4f36c0fde0a5699c669f43c800aa0ee35f8e8eaab6571006960',
  '0040-scheduled-backups': 'f17a27619d880748424c82248631ad72fa6c09c0f11642e4c2ddac4bcc4bc4c7',
};

const { folder, remove } = temporaryFolder();
afterAll(remove);

test('no migration that was published has been edited, renamed or removed', () => {
  const now = Object.fromEntries(readMigrations().map(({ name, checksum }) => [name, checksum]));
  expect(now).toMatchObject(FROZEN);
  expect(Object.keys(now).slice(0, Object.keys(FROZEN).length)).toEqual(Object.keys(FROZEN));
});

test('the upgrade notes name each migration of the next version', () => {
  const notes = readFileSync(new URL('../../docs/upgrading.md', import.meta.url), 'utf8');
  const named = [...notes.matchAll(/^\| `(\d{4}-[\w-]+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(
    readMigrations()
      .map(({ name }) => name)
      .filter((name) => !Object.hasOwn(FROZEN, name)),
  );
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
