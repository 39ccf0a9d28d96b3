/** Every address of the pages, with an example of it and who may read it. The table must name each route, and no other. */

import { randomUUIDv7 } from 'node:crypto';
import { expect } from 'vitest';
import { createAccounts, recordAudit } from '../../src/accounts/index.ts';
import { CATEGORIES, recordChanges, VENUE_TYPES } from '../../src/records/index.ts';
import { transact } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import type { Person, Site } from '../support/rigs/site.ts';
import { addFeed, listing } from '../support/rigs/sources.ts';
import { until } from '../support/runs/patience.ts';

/** Ids of what stands in the directory for the examples. */
export interface Facts {
  eventId: string;
  eventSlug: string;
  venueId: string;
  venueSlug: string;
  neighborhood: string;
  accountId: string;
  feedId: string;
  embedId: string;
  endpointId: string;
  exportId: string;
  sourceId: string;
  runId: string;
}

export interface Example {
  reader: 'anyone' | 'developer' | 'operator';
  /** `twin`: a page of the same file as another example. `resource`: no page but data, a stream, or an address that only takes forms. */
  kind: 'page' | 'twin' | 'resource';
  path: (facts: Facts) => string;
}

const page = (reader: Example['reader'], path: Example['path'] | string): Example => ({
  reader,
  kind: 'page',
  path: typeof path === 'string' ? () => path : path,
});
/** Pages of words, such as `/events/concert`. */
const twins = (under: string, words: readonly string[]): Record<string, Example> =>
  Object.fromEntries(words.map((word) => [`${under}/${word}`, { ...page('anyone', `${under}/${word}`), kind: 'twin' }]));
const resource = (reader: Example['reader'], path: string): Example => ({ ...page(reader, path), kind: 'resource' });

export const EXAMPLES: Readonly<Record<string, Example>> = {
  '/': page('anyone', '/'),
  '/developers': page('anyone', '/developers'),
  '/events': page('anyone', '/events'),
  ...twins('/events', ['today', 'tomorrow', 'this-weekend', ...CATEGORIES]),
  '/events/tonight': page('anyone', '/events/tonight?view=calendar&ask=canary'),
  '/venues': page('anyone', '/venues'),
  ...twins('/venues', VENUE_TYPES),
  '/neighborhoods': page('anyone', '/neighborhoods'),
  '/neighborhoods/:slug': page('anyone', ({ neighborhood }) => `/neighborhoods/${neighborhood}`),
  '/events.rss': resource('anyone', '/events.rss?category=concert'),
  '/events.ics': resource('anyone', '/events.ics?when=tonight'),
  '/pricing': page('anyone', '/pricing'),
  '/playground': page('anyone', '/playground?endpoint=getEvent'),
  '/search': page('anyone', '/search?ask=free+music+tonight'),
  '/status': page('anyone', '/status'),
  '/data-quality': page('anyone', '/data-quality'),
  '/report': page('anyone', ({ eventId }) => `/report?event=${eventId}`),
  '/search/suggestions': resource('anyone', '/search/suggestions?ask=ja'),
  '/sitemap.xml': resource('anyone', '/sitemap.xml'),
  '/sitemaps/:file': resource('anyone', '/sitemaps/pages.xml'),
  '/robots.txt': resource('anyone', '/robots.txt'),
  '/site.webmanifest': resource('anyone', '/site.webmanifest'),
  '/favicon.ico': resource('anyone', '/favicon.ico'),
  '/apple-touch-icon.png': resource('anyone', '/apple-touch-icon.png'),
  '/icon-192.png': resource('anyone', '/icon-192.png'),
  '/icon-512.png': resource('anyone', '/icon-512.png'),
  '/events/:slug': page('anyone', ({ eventSlug }) => `/events/${eventSlug}`),
  '/events/:slug/event.ics': {
    ...page('anyone', ({ eventSlug }) => `/events/${eventSlug}/event.ics`),
    kind: 'resource',
  },
  '/venues/:slug': page('anyone', ({ venueSlug }) => `/venues/${venueSlug}`),
  '/docs': page('anyone', '/docs'),
  '/docs/errors': page('anyone', '/docs/errors'),
  '/docs/webhooks': page('anyone', '/docs/webhooks'),
  '/docs/test-keys': page('anyone', '/docs/test-keys'),
  '/docs/deprecation': page('anyone', '/docs/deprecation'),
  '/changelog': page('anyone', '/changelog'),
  '/changelog.rss': resource('anyone', '/changelog.rss'),
  '/test-city/:kind/:slug': resource('anyone', '/test-city/events/made-up'),
  '/docs/webhooks.json': resource('anyone', '/docs/webhooks.json'),
  '/sign-up': page('anyone', '/sign-up'),
  '/welcome': page('anyone', '/welcome?token=made-up'),
  '/check-mail': page('anyone', '/check-mail?for=sign-up'),
  '/letters/:id': resource('anyone', '/letters/0'),
  '/verify': page('anyone', '/verify?token=made-up'),
  '/sign-in': page('anyone', '/sign-in?next=/dashboard'),
  '/sign-in/code': resource('anyone', '/sign-in/code'),
  '/forgot': page('anyone', '/forgot'),
  '/reset': page('anyone', '/reset?token=made-up'),
  '/*': page('anyone', '/nowhere/at/all'),
  '/theme': resource('anyone', '/theme'),
  '/language': resource('anyone', '/language'),
  '/map/areas.json': resource('anyone', '/map/areas.json'),
  '/sign-out': resource('anyone', '/sign-out'),
  '/passkeys/options': resource('anyone', '/passkeys/options'),
  '/dashboard': page('developer', '/dashboard'),
  '/dashboard/keys': page('developer', '/dashboard/keys'),
  '/dashboard/usage': page('developer', '/dashboard/usage?days=90'),
  '/dashboard/usage/live': resource('developer', '/dashboard/usage/live'),
  '/dashboard/usage.csv': resource('developer', '/dashboard/usage.csv'),
  '/dashboard/exports': page('developer', '/dashboard/exports'),
  '/dashboard/exports/:id': page('developer', ({ exportId }) => `/dashboard/exports/${exportId}`),
  '/dashboard/feeds': page('developer', '/dashboard/feeds'),
  '/dashboard/feeds/new': page('developer', '/dashboard/feeds/new'),
  '/dashboard/feeds/preview': resource('developer', '/dashboard/feeds/preview?category=concert'),
  '/dashboard/feeds/:id': page('developer', ({ feedId }) => `/dashboard/feeds/${feedId}`),
  '/dashboard/embeds': page('developer', '/dashboard/embeds'),
  '/dashboard/embeds/new': page('developer', '/dashboard/embeds/new'),
  '/dashboard/embeds/:id': page('developer', ({ embedId }) => `/dashboard/embeds/${embedId}`),
  '/dashboard/account': page('developer', '/dashboard/account'),
  '/dashboard/account/delete': page('developer', '/dashboard/account/delete'),
  '/dashboard/webhooks': page('developer', '/dashboard/webhooks'),
  '/dashboard/webhooks/new': page('developer', '/dashboard/webhooks/new'),
  '/dashboard/webhooks/:id': page('developer', ({ endpointId }) => `/dashboard/webhooks/${endpointId}`),
  '/dashboard/plans': page('developer', '/dashboard/plans'),
  '/dashboard/plans/return': resource('developer', '/dashboard/plans/return'),
  '/desk': page('operator', '/desk'),
  '/desk/sources': page('operator', '/desk/sources'),
  '/desk/sources/:id': page('operator', ({ sourceId }) => `/desk/sources/${sourceId}`),
  '/desk/runs/:id': page('operator', ({ runId }) => `/desk/runs/${runId}`),
  '/desk/review': page('operator', '/desk/review'),
  '/desk/places': page('operator', '/desk/places'),
  '/desk/incidents': page('operator', '/desk/incidents'),
  '/desk/audit': page('operator', '/desk/audit'),
  '/desk/accounts': page('operator', '/desk/accounts'),
  '/desk/accounts/:id': page('operator', ({ accountId }) => `/desk/accounts/${accountId}`),
  '/desk/requests': page('operator', '/desk/requests'),
  '/desk/reports': page('operator', '/desk/reports'),
  '/desk/events': page('operator', '/desk/events?q=canary'),
  '/desk/events/:id': page('operator', ({ eventId }) => `/desk/events/${eventId}`),
  '/desk/venues': page('operator', '/desk/venues?q=canary'),
  '/desk/venues/:id': page('operator', ({ venueId }) => `/desk/venues/${venueId}`),
};

/** Markup that would act if any page took a text for more than a text; its element could be found. */
const CANARY = `Canary "></title></script><img src=x data-canary onerror="alert('canary')"><svg data-canary onload=alert(1)>{{7*7}}`;

/** Files of one process may share a site: its directory is filled once. */
const planted = new WeakMap<Site, Promise<DirectoryFacts>>();

type DirectoryFacts = Omit<Facts, 'accountId' | 'feedId' | 'embedId' | 'endpointId' | 'exportId'>;

/** Fills the directory, the account and the audit log of a site with hostile texts, in front of all others. */
export async function plantCanaries(site: Site, developer: Person): Promise<Facts> {
  const { store, now } = site;
  const directory = planted.get(site) ?? plantInDirectory(site);
  planted.set(site, directory);
  const facts = await directory;
  await store.db
    .updateTable('account')
    .set({ name: CANARY.slice(0, 100) })
    .where('id', '=', developer.accountId)
    .execute();
  await store.db.updateTable('session').set({ user_agent: CANARY }).execute();
  const accounts = createAccounts({ db: store.db, now });
  await accounts.createKey({ email: developer.email, name: CANARY.slice(0, 100) });
  await recordAudit(store.db, {
    actor: { id: null, name: CANARY },
    action: 'canary.sung',
    subject: 'canary',
    subjectId: CANARY.slice(0, 60),
    detail: { [CANARY]: CANARY },
  });
  const feedId = randomUUIDv7();
  const at = new Date(now());
  await store.db
    .insertInto('feed')
    .values({
      id: feedId,
      account_id: developer.accountId,
      name: CANARY.slice(0, 100),
      created_at: at,
      updated_at: at,
      query: new URLSearchParams({ q: CANARY.slice(0, 100) }).toString(),
    })
    .execute();
  const embedId = randomUUIDv7().replaceAll('-', '').slice(-14);
  await store.db
    .insertInto('embed')
    .values({
      ...{ id: embedId, account_id: developer.accountId, name: CANARY.slice(0, 100), layout: 'list' },
      query: new URLSearchParams({ q: CANARY.slice(0, 100) }).toString(),
      ...{ created_at: at, updated_at: at },
    })
    .execute();
  const [requestId, exportId] = [randomUUIDv7(), randomUUIDv7()];
  const of = { account_id: developer.accountId };
  await store.db
    .insertInto('export_request')
    .values({ ...of, id: requestId, feed_id: feedId, format: 'csv', repeat: 'once', created_at: at })
    .execute();
  await store.db
    .insertInto('export')
    .values({ ...of, id: exportId, request_id: requestId, state: 'failed', queued_at: at, error: CANARY })
    .execute();
  const endpointId = randomUUIDv7();
  await store.db
    .insertInto('webhook_endpoint')
    .values({
      ...{
        id: endpointId,
        account_id: developer.accountId,
        url: 'https://hooks.example.com/',
        description: CANARY.slice(0, 200),
      },
      event_types: ['event.updated'],
      payload: 'full',
      delivery_order: 'parallel',
      secret: Buffer.alloc(1),
      challenge: 'x',
      state: 'unproven',
      state_at: at,
      lane: 'direct',
      since_seq: 0,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return { ...facts, accountId: developer.accountId, feedId, embedId, endpointId, exportId };
}

async function plantInDirectory(site: Site): Promise<DirectoryFacts> {
  const { store, now } = site;
  const { folder, remove } = temporaryFolder();
  const place = await store.db.selectFrom('city').select(['latitude', 'longitude']).executeTakeFirstOrThrow();
  const night = new Date(now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const at = { lat: place.latitude, lon: place.longitude, start: `${night}T20:00:00`, text: CANARY, provider: CANARY };
  // Two words for one evening: events, and a question for the operator.
  for (const name of ['first', 'second']) {
    const feed = await addFeed(store, folder, `${name} ${CANARY.replace('/', '')}`.slice(0, 90).replaceAll('/', ''), { now });
    feed.write([
      listing(`${name}-1`, { ...at, place: `Canary Hall ${CANARY}`, name: `Canary evening ${CANARY}` }),
      listing(`${name}-2`, {
        ...at,
        place: 'Canary Cellar',
        name: `Canary ${name === 'first' ? 'quartet plays' : 'quintet'} Brahms`,
      }),
    ]);
    await feed.run({ now });
  }
  remove();
  const { event, venue } = await transact(store.db, async (trx) => {
    const event = await trx
      .updateTable('event')
      .set({ title: CANARY.slice(0, 300) })
      .where('title', 'like', 'Canary evening%')
      .returning(['id', 'slug', 'venue_id'])
      .executeTakeFirstOrThrow();
    const venue = await trx
      .updateTable('venue')
      .set({ name: CANARY.slice(0, 200), address: CANARY })
      .where('id', '=', event.venue_id)
      .returning(['id', 'slug'])
      .executeTakeFirstOrThrow();
    const told = [['event', event.id] as const, ['venue', venue.id] as const];
    await recordChanges(
      trx,
      told.map(([entity, entityId]) => ({ kind: 'updated', entity, entityId })),
      now(),
    );
    return { event, venue };
  });
  const first = async (table: 'source' | 'run') =>
    (await store.db.selectFrom(table).select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()).id;
  // The directory follows within two seconds.
  const shown = async (path: string) => (await site.ask(path, { headers: { accept: 'text/html' } })).text();
  for (const path of [`/events/${event.slug}`, `/venues/${venue.slug}`]) {
    await until(async () => expect(await shown(path)).toMatch(/<h1[^>]*>Canary &quot;/));
  }
  return {
    eventId: event.id,
    eventSlug: event.slug,
    venueId: venue.id,
    venueSlug: venue.slug,
    neighborhood: (await store.db.selectFrom('neighborhood').select('slug').orderBy('slug').executeTakeFirstOrThrow()).slug,
    sourceId: await first('source'),
    runId: await first('run'),
  };
}
