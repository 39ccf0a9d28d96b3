import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { copyDataFolder, openNewTestStore, openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { eventually } from '../support/processes/child-process.ts';
import { tilesFile } from '../support/records/tiles-file.ts';
import { ask, keysIn, marquee, marqueeHere, type RunningService, startService, THROUGH_NPM } from '../support/rigs/service.ts';
import { DEMO_NOW, DEMO_OFFSET } from '../support/runs/demo-clock.ts';

/** Never used before; making a database takes longer than all else here, so it is made once. */
const { folder, remove } = temporaryFolder();
// Counts of a day, too, must not meet its end.
const NOW = DEMO_OFFSET;
const env = () => ({ MARQUEE_DATA_DIR: folder, MARQUEE_NOW: NOW });
afterAll(remove);

describe('the first commands on a data folder', () => {
  it('may run side by side, also where the making of the database was interrupted before', async () => {
    mkdirSync(join(folder, 'database.new'));
    for (const left of ['marquee-database', 'half', 'PG_VERSION']) writeFileSync(join(folder, 'database.new', left), '');
    const emails = ['a', 'b', 'c'].map((name) => `${name}@marquee.example`);
    const ended = await Promise.all(emails.map((email) => marquee(['account', 'create', '--email', email], env())));
    expect(ended).toEqual(emails.map((email) => ({ status: 0, stdout: `created ${email}, tier starter\n`, stderr: '' })));
    expect(existsSync(join(folder, 'database.new'))).toBe(false);
    expect(existsSync(join(folder, 'database', 'half'))).toBe(false);
  });
});

describe('a running service', () => {
  let service: RunningService & { keys: ReturnType<typeof keysIn> };
  beforeAll(async () => {
    const running = await startService(['start'], env());
    service = { ...running, keys: keysIn(folder) };
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('prints its address, three keys that work and a line to paste, and keeps the keys for the owner alone', async () => {
    expect(service.printed()).toContain(`${service.url}/api/v1`);
    for (const [tier, key] of Object.entries(service.keys)) {
      expect(service.printed()).toContain(key);
      const { status, body } = await ask(service, '/usage', key);
      expect(status).toBe(200);
      expect(body.data.tier).toBe(tier);
    }
    expect(statSync(join(folder, 'demo-keys.json')).mode & 0o777).toBe(0o600);
  });

  it('lets a key created beside it in at once, and shuts it out when it is revoked', async () => {
    await marqueeHere(['account', 'create', '--email', 'beside@marquee.example', '--tier', 'growth'], env());
    const link = await marqueeHere(['account', 'link', '--email', 'beside@marquee.example'], { ...env(), PORT: '3000' });
    expect(link.stdout).toContain(`${service.url}/`);
    const { stdout } = await marquee(['key', 'create', '--account', 'beside@marquee.example'], env());
    const key = stdout.trim();
    expect((await ask(service, '/events', key)).status).toBe(200);
    const { status } = await marquee(['key', 'revoke', key.slice(8, 20)], env());
    expect(status).toBe(0);
    await eventually(async () => (await ask(service, '/events', key)).status === 401);
    expect((await ask(service, '/events', key)).body.code).toBe('revoked_api_key');
  });

  it('shows what was imported beside it', async () => {
    const bundle = temporaryFolder();
    const id = '01934b2e-0000-7000-8000-00000000abcd';
    const venue = {
      externalId: 'x-venue',
      name: 'The New Shed',
      type: 'club',
      address: null,
      latitude: 43.57,
      longitude: -87.84,
      capacityTier: null,
      isVerified: true,
    };
    const event = {
      id,
      externalId: 'x-event',
      title: 'An evening just announced',
      category: 'concert',
      startDatetime: new Date(Date.parse(DEMO_NOW) + 2 * 86_400_000).toISOString(),
      endDatetime: null,
      description: null,
      imageUrl: null,
      isFree: true,
      priceMin: null,
      priceMax: null,
      venue: 'x-venue',
      performers: [],
      tags: [],
      sources: ['test'],
    };
    writeFileSync(join(bundle.folder, 'venues.ndjson'), JSON.stringify(venue));
    writeFileSync(join(bundle.folder, 'events.ndjson'), JSON.stringify(event));
    const { status, stdout } = await marquee(['import', bundle.folder, '--json'], env());
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ events: { created: 1 }, rejected: [] });
    await eventually(async () => (await ask(service, `/events/${id}`, service.keys.starter)).status === 200);
    bundle.remove();
  });

  it.runIf(process.platform === 'linux')('gives memory back that it no longer uses, from the size on that glibc is told', () => {
    expect(readFileSync(`/proc/${service.process.pid}/environ`, 'utf8')).toContain('\0MALLOC_MMAP_THRESHOLD_=524288\0');
  });

  it('explains an event and its settings to the operator', async () => {
    const { body } = await ask(service, '/events?limit=5', service.keys.starter);
    // What was written by hand has a score of its own.
    const event = body.data.find(({ title }: { title: string }) => title !== 'An evening just announced');
    const explained = await marqueeHere(['explain', 'event', event.id], env());
    expect(explained.stdout).toContain(event.title);
    expect(explained.stdout).toContain(`discovery score ${event.discoveryScore}`);
    expect(explained.stdout).toMatch(/^trend score \d/m);
    const doctor = await marqueeHere(['doctor'], { ...env(), DATABASE_URL: '' });
    expect(doctor.stdout).toContain('Port Alder');
    expect(doctor.stdout).toMatch(/^map tiles {5}none; neighborhoods/m);
    const file = join(folder, 'elsewhere.pmtiles');
    writeFileSync(file, tilesFile({ west: 10, east: 20 }));
    const tiled = await marqueeHere(['doctor'], { ...env(), DATABASE_URL: '', MARQUEE_TILES: file });
    expect(tiled.stdout).toMatch(/^map tiles .*elsewhere\.pmtiles, 0\.0 MB, zoom 0 to 0, DOES NOT show Port Alder/m);
  });

  it('never lets a key into its output beyond the three it shows', async () => {
    const { stdout } = await marqueeHere(['key', 'create', '--account', 'beside@marquee.example'], env());
    await ask(service, `/events?q=${stdout.trim()}`, stdout.trim());
    await ask(service, '/events?limit=abc', stdout.trim());
    expect(service.printed()).not.toContain(stdout.trim().slice(21));
  });

  it('answers the same whatever zone and language the machine has', async () => {
    const foreign = { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', MARQUEE_PUBLIC_URL: service.url };
    const abroad = await startService(['serve', '--role', 'api'], { ...env(), ...foreign });
    for (const path of [
      '/events?limit=100',
      '/events?q=mayis&start_date=2026-01-01&end_date=2027-12-31',
      '/venues?limit=100',
      '/neighborhoods',
    ]) {
      const [here, there] = await Promise.all([service, abroad].map((one) => ask(one, path, service.keys.growth)));
      expect(there?.body).toEqual(here?.body);
    }
    expect(await abroad.stop()).toBe(0);
  });

  it('refuses to start on its port, with one sentence', async () => {
    const { status, stderr } = await marqueeHere(['serve'], { ...env(), PORT: new URL(service.url).port });
    expect(status).toBe(1);
    expect(stderr).toBe(`Cannot listen on 127.0.0.1:${new URL(service.url).port} (PORT): it is already in use.\n`);
  });

  // The last of them: the service is another one afterwards.
  it('after kill -9 starts again with its directory, keys and day, and ends with exit code 0 on SIGTERM, through npm too', async () => {
    const key = service.keys.enterprise;
    const used = async () => (await ask(service, '/usage', key)).body.data.day.used;
    const before = await used();
    for (let turn = 0; turn < 5; turn += 1) await ask(service, '/events', key);
    expect(await used()).toBe(before + 5);
    // Of all time: an event may begin meanwhile.
    const all = '/events?start_date=2000-01-01&end_date=2100-01-01';
    const { total } = (await ask(service, all, key)).body.meta;
    // Usage is written at least once a second.
    await eventually(async () => (await writtenToday(folder)) === before + 6);
    await service.stop('SIGKILL');
    service = { ...(await startService(['start'], env(), THROUGH_NPM)), keys: keysIn(folder) };
    expect(service.printed()).toContain(key);
    expect(await used()).toBe(before + 6);
    const { body } = await ask(service, all, key);
    expect(body.meta.total).toBe(total);
    expect(total).toBeGreaterThan(500);
    expect(await service.stop('SIGTERM')).toBe(0);
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  });
});

/** Of the enterprise key, which no other test of this file but the first uses. */
async function writtenToday(dataDir: string): Promise<number> {
  const store = await openStore({ dataDir });
  const { requests } = await store.db
    .selectFrom('usage_day')
    .innerJoin('api_key', 'api_key.subscription_id', 'usage_day.subscription_id')
    .where('api_key.name', '=', 'demo enterprise')
    .select((query) => query.fn.sum<string>('requests').as('requests'))
    .executeTakeFirstOrThrow();
  await store.close();
  return Number(requests);
}

describe('a refused start', () => {
  let data: Awaited<ReturnType<typeof copyDataFolder>>;
  let base: Record<string, string>;
  beforeAll(async () => {
    data = await copyDataFolder();
    base = { MARQUEE_DATA_DIR: data.options.dataDir };
  });
  afterAll(() => data.remove());

  it.each([
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535, but is "http"\n$/],
    [{ MARQUEE_NOW: 'yesterday' }, /^MARQUEE_NOW must be a time .* or an offset .*"yesterday"\n$/],
    [{ MARQUEE_NOW: '+1h', NODE_ENV: 'production' }, /^MARQUEE_NOW is for tests .*production\n$/],
    [{ MARQUEE_PUBLIC_URL: 'ftp://x' }, /^MARQUEE_PUBLIC_URL must be an address .*"ftp:\/\/x"\n$/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of .*"loud"\n$/],
    [{ DATABASE_URL: 'mysql://user:hunter2@host/db' }, /^DATABASE_URL must be an address such as postgres:\S+\n$/],
    [
      { DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:1/db' },
      /^Cannot connect to the database db at 127\.0\.0\.1:1: no server listens there\.\n$/,
    ],
    [{ MARQUEE_DATA_DIR: '/proc/nowhere' }, /^Cannot write to the data folder \/proc\/nowhere \(MARQUEE_DATA_DIR\): .*\n$/],
    [{ HOST: '203.0.113.7' }, /^Cannot listen on 203\.0\.113\.7:\d+ \(HOST\): this machine does not have this address\.\n$/],
    [
      { HOST: 'nonsense.invalid' },
      /^Cannot listen on nonsense\.invalid:\d+ \(HOST\): the host name (?:is unknown|cannot be looked up)\.\n$/,
    ],
    [{ MARQUEE_TRUST_PROXY: '10.0.0.1, foo' }, /^MARQUEE_TRUST_PROXY must be addresses or networks, .*"foo"\n$/],
  ])('for %j is one sentence and exit code 1', async (settings, sentence) => {
    const { status, stdout, stderr } = await marqueeHere(['serve'], { ...base, ...settings });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('hunter2');
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  it('because of a taken metrics port that was asked for is one sentence too', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { status, stderr } = await marqueeHere(['serve'], { ...base, MARQUEE_METRICS_PORT: port });
    expect(stderr).toBe(`Cannot listen on 127.0.0.1:${port} (MARQUEE_METRICS_PORT): it is already in use.\n`);
    expect(status).toBe(1);
    taken.close();
  });

  it('in its middle ends the process, with all that it had begun', async () => {
    const opened = await openNewTestStore('embedded');
    try {
      await sql`alter table list_head rename to list_head_away`.execute(opened.store.db);
      const settings = { MARQUEE_DATA_DIR: opened.options.dataDir, LOG_LEVEL: 'fatal' };
      const { status, stderr } = await marquee(['serve', '--role', 'worker'], settings);
      expect(stderr).toMatch(/^error: relation "list_head" does not exist\n/);
      expect(status).toBe(1);
    } finally {
      await opened.dispose();
    }
  });
});

describe('a command', () => {
  // Open here, so that no command has to start an engine of its own.
  let test: TestStore;
  let env: Record<string, string>;
  beforeAll(async () => {
    test = await openTestStore('embedded');
    env = { MARQUEE_DATA_DIR: test.options.dataDir };
  });
  afterAll(() => test.dispose());

  it.each([
    [['bogus'], /^unknown command 'bogus'/],
    [['help', 'bogus'], /^unknown command 'bogus'; see marquee --help\n$/],
    [['help', 'key', 'bogus'], /^unknown command 'bogus'; see marquee key --help\n$/],
    [['key', 'help', 'bogus'], /^unknown command 'bogus'; see marquee key --help\n$/],
    [['run', 'list', 'nothing'], /^No source is named "nothing"\.\n$/],
    [['run', 'list', 'nothing', '--json'], /^No source is named "nothing"\.\n$/],
    [['key', 'rotate'], /^missing required argument 'id'/],
    [['import', '/nowhere'], /^\/nowhere is not a folder/],
    [['import', 'package.json'], /^package\.json is not a folder/],
    [['account', 'create', '--email', 'nonsense'], /"nonsense" is not an e-mail address/],
    [['account', 'create', '--email', 'a@b.example', '--tier', 'gold'], /gold.*starter, growth, enterprise/],
    [['key', 'create', '--account', 'nobody@b.example'], /No account.*nobody@b\.example/],
    [['key', 'revoke', 'abcdefghijkl'], /abcdefghijkl/],
    [['ingest', 'nothing'], /no source is named "nothing"/i],
    [['explain', 'event', 'nothing'], /No event has the id or slug "nothing"/],
  ])('%j that cannot be done says so in one sentence', async (words, sentence) => {
    const { status, stdout, stderr } = await marqueeHere(words, env);
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });

  it('says its version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await marqueeHere(['--version'], env)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(['serve', 'import', 'source add', 'key rotate', 'key'])(
    '%s explains itself with --help, and by help',
    async (command) => {
      const { status, stdout, stderr } = await marqueeHere([...command.split(' '), '--help'], env);
      expect(stdout).toContain(`Usage: marquee ${command}`);
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(await marqueeHere(['help', ...command.split(' ')], env)).toEqual({ status, stdout, stderr });
    },
  );

  it('explains all with help', async () => {
    expect(await marqueeHere(['help'], env)).toEqual(await marqueeHere(['--help'], env));
  });
});
