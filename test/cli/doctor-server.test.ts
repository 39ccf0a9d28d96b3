/** What `doctor` says of a PostgreSQL server. */

import { describe, expect, it } from 'vitest';
import {
  describeChecksums,
  describeClock,
  describeCommits,
  describeConnections,
  describeServer,
  describeStandbys,
} from '../../src/commands/database-server.ts';
import type { ServerFacts } from '../../src/store/index.ts';
import { DEFAULT_ENGINE, openTestStore } from '../support/database/store.ts';
import { marqueeHere } from '../support/rigs/service.ts';

const WELL: ServerFacts = {
  version: '17.2',
  clockAheadMs: 20,
  isStandby: false,
  replayAgeSeconds: null,
  fsync: true,
  synchronousCommit: 'on',
  synchronousStandbys: 'ANY 1 (*)',
  defaultReadOnly: false,
  hasChecksums: true,
  checksumFailures: 0,
  idleSessionTimeoutMs: 0,
  maxConnections: 97,
  openConnections: 12,
};
const SHOUTED = /\b[A-Z]{2,}\b/;

describe('the doctor of a server', () => {
  it('raises its voice for nothing where all is well', () => {
    const said = [
      describeServer(WELL),
      describeClock(WELL.clockAheadMs),
      describeConnections(WELL, 2),
      describeChecksums(WELL),
      describeCommits({ ...WELL, synchronousStandbys: 'standby' }, true),
      describeStandbys([{ name: 'standby', syncState: 'sync', lagBytes: 1_048_576, lagSeconds: 0.2 }]),
    ];
    expect(said.map((line) => line.replace(/\bMB\b|PostgreSQL/g, ''))).toEqual(
      said.map(() => expect.not.stringMatching(SHOUTED)),
    );
    expect(said.at(-1)).toBe('standby (sync), 1.0 MB, 0.2 s behind');
  });

  it.each([
    ['a standby', describeServer({ ...WELL, isStandby: true, replayAgeSeconds: 7 }), 'IS A STANDBY, 7 s behind'],
    ['a read-only server', describeServer({ ...WELL, defaultReadOnly: true }), 'default_transaction_read_only IS ON'],
    ['a clock that is behind', describeClock(-1_500), 'IS 1.5 s behind this machine'],
    ['a clock that is ahead', describeClock(90_000), 'IS 90.0 s ahead of this machine'],
    ['too few connections', describeConnections(WELL, 4), 'open up to 110; max_connections IS TOO SMALL'],
    ['no checksums', describeChecksums({ ...WELL, hasChecksums: false }), 'ARE OFF; damage to files is not noticed'],
    ['failed pages', describeChecksums({ ...WELL, checksumFailures: 3 }), 'are on; 3 PAGES FAILED'],
    ['no fsync', describeCommits({ ...WELL, fsync: false }, false), 'fsync IS OFF'],
    ['no synchronous commit', describeCommits({ ...WELL, synchronousCommit: 'off' }, false), 'synchronous_commit IS OFF'],
    ['no synchronous standby', describeCommits({ ...WELL, synchronousStandbys: '' }, true), 'NO STANDBY'],
    ['a standby far behind', describeStandbys([{ name: 'b', syncState: 'async', lagBytes: 9, lagSeconds: 60 }]), 'IT LAGS'],
  ])('names %s', (_, said, fault) => {
    expect(said).toContain(fault);
  });

  it('says that sessions end early, and which rights are missing', () => {
    expect(describeServer({ ...WELL, idleSessionTimeoutMs: 5_000 })).toContain('idle_session_timeout is 5 s');
    expect(describeStandbys([{ name: 'b', syncState: null, lagBytes: null, lagSeconds: null }])).toContain('pg_monitor');
    expect(describeStandbys([])).toBe('none');
  });

  if (DEFAULT_ENGINE === 'postgres') {
    it('asks the server itself', async () => {
      const { options, dispose } = await openTestStore();
      const url = new URL(options.databaseUrl!);
      url.searchParams.set('options', '-c idle_session_timeout=9s -c synchronous_commit=off');
      const { status, stdout } = await marqueeHere(['doctor'], {
        MARQUEE_DATA_DIR: options.dataDir,
        DATABASE_URL: url.href.replace(url.host, `${url.host},127.0.0.1:1`),
      });
      await dispose();
      expect(status).toBe(0);
      const line = (name: string) => stdout.split('\n').find((each) => each.startsWith(name.padEnd(14)));
      expect(line('server')).toMatch(/PostgreSQL \d+.*; idle_session_timeout is 9 s/);
      // The same machine.
      expect(line('clock')).toMatch(/of the server: \d\.\d s/);
      expect(line('connections')).toMatch(/\d+ open of \d+; 1 serving and 1 worker open up to 35$/);
      expect(line('commits')).toMatch(/IS OFF/);
      expect(line('standbys')).toMatch(/none$/);
      expect(line('servers')).toMatch(/127\.0\.0\.1:\d+ primary \(timeline 0000000\d\), 127\.0\.0\.1:1 NOT REACHABLE$/);
    });
  }
});
