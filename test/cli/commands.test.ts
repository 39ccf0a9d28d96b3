import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSource, importBundle, runSource } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, now } from '../support/records/bundle.ts';
import { marqueeHere } from '../support/rigs/service.ts';
import { FEED_MAPPING, listing, READING } from '../support/rigs/sources.ts';

/** Open here, so that no command has to start an engine of its own. */
let test: TestStore;
const { folder, remove } = temporaryFolder();
beforeAll(async () => {
  test = await openTestStore('embedded');
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
});
afterAll(async () => {
  remove();
  await test.dispose();
});

const command = (...words: string[]) =>
  marqueeHere(words, { MARQUEE_DATA_DIR: test.options.dataDir, MARQUEE_NOW: '2026-06-16T20:00:00Z' });
const fileOf = (name: string) => join(folder, `${name}.json`);
const write = (name: string, records: readonly object[]) => writeFileSync(fileOf(name), JSON.stringify({ events: records }));

async function add(name: string, records: readonly object[], more: object = {}): Promise<void> {
  write(name, records);
  const source = { kind: 'json', location: fileOf(name), mapping: FEED_MAPPING, name, now, ...more };
  const added = await addSource({ store: test.store, ...source });
  if (!added.ok) throw new Error(added.reason);
}

it('what a source says comes onto the terminal without what a terminal acts on', async () => {
  const mark = '\u009b31m \u202eevil';
  await add('hostile', [
    listing('odd', { name: `Night ${mark}` }),
    listing('bad', { start: mark }),
    listing('kind', { id: mark, start: '' }),
  ]);
  const { stdout, stderr } = await command('ingest', 'hostile', '--dry-run');
  expect(stderr).toContain('rejected hostile record 2');
  expect(stdout).toContain('Night');
  expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

describe('ingest of several sources', () => {
  beforeEach(async () => {
    for (const name of ['early', 'lost', 'late']) await add(name, [listing(name)]);
    rmSync(fileOf('lost'));
  });
  const failure = `lost: cannot read the file ${fileOf('lost')}: it does not exist`;

  it('runs them all, says of each that failed why, and ends with 1', async () => {
    const { status, stdout, stderr } = await command('ingest', 'early', 'lost', 'nobody', 'late');
    expect(stdout).toMatch(/^early: .*\nlate: .*\n$/);
    expect(stderr.trimEnd().split('\n')).toEqual([failure, 'no source is named "nobody"', '2 of 4 sources failed; see above.']);
    expect(status).toBe(1);
  });

  it('prints with --json a report for each that ran and the sentence of each that failed', async () => {
    const { status, stdout, stderr } = await command('ingest', 'lost', 'early', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { source: 'lost', error: failure },
      { source: 'early', events: { created: 1 } },
    ]);
    expect(stderr).toBe(`${failure}\n1 of 2 sources failed; see above.\n`);
    expect(status).toBe(1);
  });

  it('of one that fails alone says one sentence, in a test and a dry run too', async () => {
    const { status, stderr } = await command('ingest', 'lost');
    expect([status, stderr]).toEqual([1, `${failure}\n`]);
    for (const words of [
      ['ingest', 'lost', '--dry-run'],
      ['source', 'test', 'lost'],
    ]) {
      expect(await command(...words)).toEqual({ status: 1, stdout: '', stderr: `${failure}\n` });
    }
  });
});

describe('a dry run', () => {
  it('prints a line for what changes, of venues and of links too, and writes nothing', async () => {
    await add('feed', [listing('a', { url: 'https://feed.example/1' })]);
    expect((await command('ingest', 'feed', '--dry-run')).stdout).toMatch(
      /^\+ venue Cellar\n\+ 2026-06-21T00:00:00.000Z {2}Show a\n/,
    );
    await runSource({ store: test.store, name: 'feed', now, ...READING });
    write('feed', [listing('a', { url: 'https://feed.example/2', address: '1 Quay' })]);
    const { stdout } = await command('ingest', 'feed', '--dry-run');
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      '~ venue Cellar  address: null → 1 Quay',
      '~ Show a  links: ["feed https://feed.example/1"] → ["feed https://feed.example/2"]',
      'dry run, nothing written: feed: venues 1 updated; events 1 updated; 0 rejected',
    ]);
    const { links } = await test.store.db.selectFrom('event').select('links').executeTakeFirstOrThrow();
    expect(links).toEqual([{ provider: 'feed', url: 'https://feed.example/1' }]);
  });

  it('names an event that a source lists again', async () => {
    const here = () => runSource({ store: test.store, name: 'feed', now, ...READING });
    const both = [listing('a'), listing('b', { start: '2026-06-22T20:00:00' })];
    await add('feed', both);
    await here();
    write('feed', both.slice(0, 1));
    await here();
    write('feed', both);
    expect((await command('ingest', 'feed', '--dry-run')).stdout).toMatch(/^~ Show b {2}unconfirmed: true → false\n/);
  });
});

describe('source test', () => {
  it('says in one sentence what a provider cannot read', async () => {
    await add('feed', [listing('a')], { mapping: { ...FEED_MAPPING, records: 'nowhere' } });
    const { status, stderr } = await command('source', 'test', 'feed');
    expect([status, stderr]).toEqual([1, 'feed: the document has no list at "nowhere"\n']);
  });

  it('says in one sentence which key is missing', async () => {
    const seatgeek = { kind: 'seatgeek', location: 'venue.city=Tidewater', mapping: null, name: 'tickets', now };
    expect(await addSource({ store: test.store, ...seatgeek })).toMatchObject({ ok: true });
    const { status, stderr } = await command('source', 'test', 'tickets');
    expect(stderr).toMatch(/^tickets: .*SEATGEEK_CLIENT_ID.*\n$/);
    expect(status).toBe(1);
  });

  it('says in one sentence that an address may not be asked', async () => {
    const inner = { kind: 'json', location: 'http://10.0.0.1/list.json', mapping: FEED_MAPPING, name: 'inner', now };
    expect(await addSource({ store: test.store, ...inner })).toMatchObject({ ok: true });
    const { status, stderr } = await command('source', 'test', 'inner');
    expect(stderr).toMatch(/^inner: .*10\.0\.0\.1.*\n$/);
    expect(status).toBe(1);
  });
});

describe('what a command says', () => {
  const runHere = (name: string) => runSource({ store: test.store, name, now, ...READING });

  it('names of a question title, time, place and source', async () => {
    await add('radio', [listing('r1', { name: 'Copper Lantern' })]);
    await add('press', [listing('p1', { name: 'Iron Lantern' })]);
    for (const name of ['radio', 'press']) await runHere(name);
    const { stdout } = await command('review', 'list');
    expect(stdout).toMatch(/^ {2}\S+ {2}Copper Lantern, 2026-06-20T20:00\S*, Cellar \(radio\)$/m);
  });

  it('counts one as one', async () => {
    await add('feed', [listing('a'), listing('b', { place: 'The Attic', lat: null, lon: null })]);
    const tried = await command('source', 'test', 'feed');
    expect(tried.stderr).toBe('1 listing is at places whose street nobody knows (marquee venue waiting): The Attic\n');
    expect(tried.stdout).toContain('feed: venues 2 created; events 2 created; 0 rejected\n');
    await runHere('feed');
    expect(await command('source', 'remove', 'feed')).toEqual({
      status: 0,
      stdout: 'removed feed, 2 events and 2 venues\n',
      stderr: '',
    });
  });

  it('leaves the name of a host as it is', async () => {
    const mapping = fileOf('mapping');
    writeFileSync(mapping, JSON.stringify(FEED_MAPPING));
    const { stderr } = await command('source', 'add', 'json', 'http://localhost/', '--mapping', mapping);
    expect(stderr).toBe('The host localhost is not a name of the public internet.\n');
  });
});

describe('a source that never ran', () => {
  it('has an empty list of runs', async () => {
    await add('feed', []);
    expect(await command('run', 'list', 'feed', '--json')).toEqual({ status: 0, stdout: '[]\n', stderr: '' });
  });
});

describe('a source that is not held', () => {
  it('is not released, and a paused one stays paused', async () => {
    await add('feed', []);
    await command('source', 'pause', 'feed');
    const { status, stdout, stderr } = await command('source', 'release', 'feed');
    expect([status, stdout, stderr]).toEqual([1, '', '"feed" is not on hold, so there is nothing to release.\n']);
    const [listed] = JSON.parse((await command('source', 'list', '--json')).stdout);
    expect(listed).toMatchObject({ state: 'paused', isReleased: false });
  });
});

describe('a directory that has a city', () => {
  it('takes no demo city in', async () => {
    const { status, stdout, stderr } = await command('demo', 'load');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The directory already holds Tidewater\. .*\.\n$/);
    expect(await test.store.db.selectFrom('city').select('slug').execute()).toEqual([{ slug: 'tidewater' }]);
  });

  it('says when a bundle brings another', async () => {
    const bundle = temporaryFolder();
    writeFileSync(join(bundle.folder, 'city.json'), JSON.stringify({ ...CITY, slug: 'highwater', name: 'Highwater' }));
    const report = JSON.parse((await command('import', bundle.folder, '--dry-run', '--json')).stdout);
    expect(report.city).toEqual({ before: 'tidewater', after: 'highwater' });
    const { stdout } = await command('import', bundle.folder);
    expect(stdout).toBe('the city changed from tidewater to highwater; 0 rejected\n');
    expect((await command('import', bundle.folder)).stdout).toBe('0 rejected\n');
    bundle.remove();
  });
});
