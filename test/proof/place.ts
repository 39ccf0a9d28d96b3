/**
 * A whole Marquee for the proof: the demo city with ids that repeat, records that people and a source have changed, accounts of every
 * state, and a service on a free port. Nothing of it depends on the machine, the folder or the day, but what `filter.ts` leaves out.
 */

import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts, createInvite, type TierName } from '../../src/accounts/index.ts';
import { demoBundle } from '../../src/demo/index.ts';
import { correct, hide, importBundle, mergeManually } from '../../src/ingest/index.ts';
import { SETTINGS } from '../../src/settings.ts';
import { openIncident, updateIncident } from '../../src/status/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { type Ended, marqueeHere, pagesReady, startService } from '../support/rigs/service.ts';
import { addFeed, listing } from '../support/rigs/sources.ts';
import { type Ask, createAsk } from './client.ts';
import { KNOWN_IDS } from './filter.ts';

export interface Place {
  folder: string;
  /** To the running service. */
  ask: Ask;
  /** API keys by what they are. */
  keys: Readonly<Record<KeyName, string>>;
  /** Links that let an account choose its password, by its address. */
  invites: Readonly<Record<string, string>>;
  records: Records;
  /** What differs from run to run, with the word that stands for it. Whoever makes such a value adds it. */
  known: Map<string, string>;
  /** A command beside the service. */
  marquee(words: readonly string[]): Promise<Ended>;
  close(): Promise<void>;
}

type KeyName = TierName | 'test' | 'revoked' | 'expired' | 'trial' | 'inactive' | 'developer' | 'busy';

/** Ids of what the questions are about. */
export interface Records {
  /** Published events of the demo city, in the order of their ids. */
  events: readonly { id: string; slug: string }[];
  venues: readonly { id: string; slug: string }[];
  hidden: string;
  merged: string;
  /** Events that a source lists, too. */
  listed: readonly { id: string; slug: string }[];
  sources: readonly string[];
  runs: readonly string[];
  accounts: readonly string[];
  /** Path of a poster. */
  poster: string;
}

/** A Wednesday at noon in Port Alder. It is past, so that no rule of a time zone changes, and no real date is taken for one of the city. */
const PROOF_NOW = '2019-06-19T18:00:00Z';
/** The service answers for this name, whatever its port is. */
export const PUBLIC_URL = 'https://port-alder.example';
export const DEVELOPER = 'developer@marquee.example';
export const OPERATOR = 'operator@marquee.example';

export async function openPlace(): Promise<Place> {
  // Of the shell that the proof is run from.
  for (const { name } of SETTINGS) delete process.env[name];
  const folder = mkdtempSync(join(tmpdir(), 'marquee-proof-'));
  const dataDir = join(folder, 'data');
  const settings = {
    MARQUEE_DATA_DIR: dataDir,
    MARQUEE_NOW: PROOF_NOW,
    MARQUEE_PUBLIC_URL: PUBLIC_URL,
    MARQUEE_SECRET: 'the proof signs everything with this',
    MARQUEE_TRUST_PROXY: '127.0.0.1',
    MARQUEE_SECURITY_CONTACT: 'security@marquee.example',
    MARQUEE_SCANNER_KEYS: String(
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }),
    ),
  };
  const known = new Map<string, string>();
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  try {
    const store = await openStore({ dataDir });
    const records = await fillDirectory(store, folder);
    const { keys, invites, accounts } = await createPeople(store, known);
    await store.close();
    const service = await startService(['serve'], settings);
    await pagesReady(service);
    known.set(folder, '[folder]').set(`:${new URL(service.url).port}`, ':[port]');
    return {
      ...{ folder, keys, invites, known, records: { ...records, accounts } },
      ask: createAsk(Number(new URL(service.url).port), new URL(PUBLIC_URL).host),
      marquee: (words) => marqueeHere(words, settings),
      async close() {
        await service.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

const now = (): number => Date.parse(PROOF_NOW);
const HOUR_MS = 3_600_000;

/** The same ids in every run: what is ordered by id has one order. */
function countingIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${KNOWN_IDS}${String(count).padStart(12, '0')}`;
  };
}

async function fillDirectory(store: Store, folder: string): Promise<Omit<Records, 'accounts'>> {
  const { db } = store;
  const newId = countingIds();
  // The name of the history is drawn by the database.
  await db.updateTable('change_log').set({ epoch: newId() }).execute();
  const bundle = demoBundle({ now: now() });
  await importBundle({ store, bundle, now: () => now() - 3 * HOUR_MS, newId });
  const events = await db.selectFrom('event').select(['id', 'slug']).where('state', '=', 'published').orderBy('id').execute();
  const venues = await db.selectFrom('venue').select(['id', 'slug']).where('state', '=', 'published').orderBy('id').execute();
  await runSource(store, folder, bundle, newId);

  const [hidden, renamed, left, right, ...rest] = events.toSpliced(0, SKIPPED);
  if (!hidden || !renamed || !left || !right) throw new Error('the demo city has too few events');
  const common = { store, by: OPERATOR, now };
  await hide({ ...common, entity: 'event', id: hidden.id, note: 'Not a public event' });
  const values = { title: 'An Evening That an Operator Has Named', priceMin: 12.5 };
  await correct({ ...common, entity: 'event', id: renamed.id, values, note: 'As on the poster' });
  await correct({ ...common, entity: 'venue', id: venues[1]?.id ?? '', values: { address: '7 Proof Street' } });
  const merged = await mergeManually({ ...common, kind: 'event', left: left.id, right: right.id });
  if (!merged.ok) throw new Error(merged.reason);

  const opened = await openIncident(
    { db, now: () => now() - HOUR_MS },
    { title: 'Search is slow', impact: 'minor', message: 'We are looking into it.' },
  );
  if (!opened.ok) throw new Error(opened.reason);
  await updateIncident({ db, now }, opened.id, { state: 'monitoring', message: 'A disk was full.' });

  const known = new Set([...events, ...venues].map(({ id }) => id));
  const all = await db.selectFrom('event').select(['id', 'slug']).where('state', '=', 'published').orderBy('id').execute();
  const idsOf = async (table: 'source' | 'run') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
  return {
    events: [...events.slice(0, SKIPPED), renamed, ...rest],
    ...{ venues, hidden: hidden.id, merged: right.id, poster: bundle.events.find(({ imageUrl }) => imageUrl)?.imageUrl ?? '' },
    listed: [...events.slice(0, LISTED_TWICE), ...all.filter(({ id }) => !known.has(id))],
    sources: await idsOf('source'),
    runs: await idsOf('run'),
  };
}

/** A source that lists some of the city's events and some of its own, read twice: what it lists has changed in between. */
async function runSource(
  store: Store,
  folder: string,
  bundle: ReturnType<typeof demoBundle>,
  newId: () => string,
): Promise<void> {
  const feed = await addFeed(store, folder, 'harbor-listings', { now, newId });
  const places = new Map(bundle.venues.map((venue) => [venue.externalId, venue]));
  const again = bundle.events.slice(0, 2 * LISTED_TWICE).map(({ title, startDatetime, venue }, index) => {
    const place = places.get(venue);
    return listing(`again-${index}`, {
      // Some titles differ: they are a question for the operator, or another event.
      name: index < LISTED_TWICE ? title : `${title}, with friends`,
      start: startDatetime,
      place: place?.name,
      lat: place?.latitude,
      lon: place?.longitude,
      text: 'As the harbor office lists it.',
      url: `https://harbor.example/events/${index}`,
    });
  });
  const at = bundle.venues[0];
  const own = (id: string, more: object) => listing(id, { place: 'Proof Hall', lat: at?.latitude, lon: at?.longitude, ...more });
  const kept = own('own-1', {
    name: 'The Long Proof',
    start: '2019-06-22T20:00:00',
    end: '2019-06-22T22:30:00',
    min: 15,
    max: 25,
  });
  const moved = own('own-2', { name: 'Lemma Quartet', start: '2019-06-23T19:00:00', text: 'Four <b>strings</b> & no figures.' });
  const gone = own('own-3', { name: 'Corollary Night', start: '2019-06-24T21:00:00', free: true });
  feed.write([...again, kept, moved, gone, own('no-start', { start: undefined })]);
  await feed.run({ now: () => now() - 2 * HOUR_MS, newId });
  feed.write([...again, { ...kept, status: 'cancelled' }, { ...moved, start: '2019-06-23T20:30:00' }]);
  await feed.run({ now: () => now() - HOUR_MS, newId });
}

async function createPeople({ db }: Store, known: Map<string, string>) {
  // A second passes with each call: what is ordered by time has one order.
  let seconds = 0;
  const accounts = createAccounts({ db, now: () => now() - HOUR_MS + 1_000 * seconds++ });
  const ids: string[] = [];
  async function createAccount(email: string, more: { tier?: TierName; operator?: boolean }): Promise<void> {
    const created = await accounts.createAccount({ email, ...more });
    if (!created.ok) throw new Error(created.detail);
    ids.push(created.id);
    known.set(created.id, `[account ${email}]`);
  }
  async function createKey(email: string, name: KeyName, more: { tier?: TierName; test?: true } = {}) {
    const created = await accounts.createKey({ email, name, ...more });
    if (!created.ok) throw new Error(created.detail);
    known.set(created.key, `[key ${name}]`).set(created.id, `[key id ${name}]`);
    known.set(created.subscriptionId, `[subscription ${name}]`);
    return created;
  }
  await createAccount(DEVELOPER, { tier: 'enterprise' });
  await createAccount(OPERATOR, { tier: 'growth', operator: true });
  await createAccount('caller@marquee.example', { tier: 'enterprise' });
  await createAccount('trial@marquee.example', {});
  await createAccount('inactive@marquee.example', { tier: 'starter' });

  const caller = (name: KeyName, tier: TierName) => createKey('caller@marquee.example', name, { tier });
  const revoked = await caller('revoked', 'starter');
  await accounts.revokeKey(revoked.id);
  const expired = await caller('expired', 'starter');
  const rotated = await accounts.rotateKey(expired.id, '0');
  if (!rotated.ok) throw new Error(rotated.detail);
  known.set(rotated.key, '[key rotated]').set(rotated.id, '[key id rotated]');
  const trial = await createKey('trial@marquee.example', 'trial');
  const ended = { trial_ends_at: new Date(now() - HOUR_MS) };
  await db.updateTable('subscription').set(ended).where('id', '=', trial.subscriptionId).execute();
  const inactive = await createKey('inactive@marquee.example', 'inactive');
  await db.updateTable('subscription').set({ status: 'inactive' }).where('id', '=', inactive.subscriptionId).execute();
  const keys = {
    starter: (await caller('starter', 'starter')).key,
    growth: (await caller('growth', 'growth')).key,
    enterprise: (await caller('enterprise', 'enterprise')).key,
    busy: (await caller('busy', 'starter')).key,
    test: (await createKey('caller@marquee.example', 'test', { test: true, tier: 'enterprise' })).key,
    developer: (await createKey(DEVELOPER, 'developer')).key,
    ...{ revoked: revoked.key, expired: expired.key, trial: trial.key, inactive: inactive.key },
  };
  const invites: Record<string, string> = {};
  for (const email of [DEVELOPER, OPERATOR])
    invites[email] = (await createInvite({ db, publicUrl: PUBLIC_URL }, email))?.link ?? '';
  return { keys, invites, accounts: ids };
}

/** Events before those that people change. */
const SKIPPED = 10;
/** Of the first events, so many are listed by the source under the same title, and as many under another one. */
const LISTED_TWICE = 4;
