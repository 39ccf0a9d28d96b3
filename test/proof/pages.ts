/** Every page as its reader sees it, the documents beside the pages, and what an account gets to see once. */

import { routePatterns } from '../support/records/route-patterns.ts';
import { PATIENCE_MS } from '../support/runs/patience.ts';
import { type Answer, headerOf, type Question } from './client.ts';
import { askItem, type Item } from './item.ts';
import { DEVELOPER, OPERATOR, type Place, PUBLIC_URL } from './place.ts';

type Reader = 'anyone' | 'developer' | 'operator';
/** `Cookie` headers. */
export type Sessions = Readonly<Record<Exclude<Reader, 'anyone'>, string>>;

/** What an account has made through the forms of its pages. */
export interface OwnThings {
  feedId: string;
  /** Paths with a secret, one for each form of a feed. */
  feedUrls: readonly string[];
  embedId: string;
  exportIds: readonly string[];
}

const PASSWORD = 'a long enough password';

export async function signIn({ ask, invites, known }: Place): Promise<Sessions> {
  const enter = async (email: string): Promise<string> => {
    const token = new URL(invites[email] ?? '').searchParams.get('token') ?? '';
    await post(ask, '/reset', { token, password: PASSWORD });
    const answer = await post(ask, '/sign-in', { email, password: PASSWORD });
    const cookie = answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value.split(';', 1)[0] ?? '');
    if (cookie.length === 0) throw new Error(`${email} cannot sign in: ${answer.status}`);
    for (const pair of cookie) known.set(pair.slice(pair.indexOf('=') + 1), '[session]');
    return cookie.join('; ');
  };
  return { developer: await enter(DEVELOPER), operator: await enter(OPERATOR) };
}

function post(
  ask: Place['ask'],
  path: string,
  fields: Record<string, string> | [string, string][],
  cookie = '',
): Promise<Answer> {
  return ask({
    method: 'POST',
    path,
    headers: { ...FORM, ...(cookie !== '' && { cookie }) },
    body: new URLSearchParams(fields).toString(),
  });
}

const HTML = { accept: 'text/html' };
const FORM = {
  ...HTML,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
  origin: PUBLIC_URL,
};

/** A feed with a secret URL of each form, an embed, and two exports that are ready. */
export async function makeThings({ ask, known }: Place, { developer }: Sessions): Promise<OwnThings> {
  const send = (path: string, fields: Record<string, string>) => post(ask, path, fields, developer);
  const created = async (path: string, fields: Record<string, string>): Promise<string> => {
    const answer = await send(path, { intent: 'save', token: path, ...fields });
    const [, id = ''] = /\/([^/?]+)\?created/.exec(headerOf(answer, 'location')) ?? [];
    if (id === '') throw new Error(`${path} made nothing: ${answer.status}`);
    known.set(id, `[id of ${path}]`);
    return id;
  };
  const feedId = await created('/dashboard/feeds/new', { feed_name: 'Concerts to hear', category: 'concert', sort: 'start' });
  const feedUrls: string[] = [];
  for (const form of FEED_FORMS) {
    const { body } = await send(`/dashboard/feeds/${feedId}`, { intent: 'renew', form, token: `url-${form}` });
    const [, token] = new RegExp(`/feeds/([\\w-]{30,})\\.${form}`).exec(body.toString()) ?? [];
    if (!token) throw new Error(`the feed has no URL as ${form}`);
    known.set(token, `[feed token ${form}]`);
    feedUrls.push(`/feeds/${token}.${form}`);
  }
  const embedId = await created('/dashboard/embeds/new', {
    feed_name: 'Free evenings',
    free: 'true',
    layout: 'list',
    origins: '',
  });
  const order = { intent: 'create', repeat: 'once' };
  await send('/dashboard/exports', { ...order, content: 'everything', format: 'ndjson', columns: 'record', token: 'first' });
  await send('/dashboard/exports', { ...order, content: feedId, format: 'csv', columns: 'all', token: 'second' });
  return { feedId, feedUrls, embedId, exportIds: await untilReady({ ask, known }, developer) };
}

const FEED_FORMS = ['ics', 'rss', 'atom', 'feed.json', 'json', 'geojson', 'csv', 'ndjson', 'jsonld'];

async function untilReady({ ask, known }: Pick<Place, 'ask' | 'known'>, cookie: string): Promise<string[]> {
  const read = async (path: string) => (await ask({ path, headers: { ...HTML, cookie } })).body.toString();
  const links = (await read('/dashboard/exports')).matchAll(/\/dashboard\/exports\/([0-9a-f-]{36})/g);
  const ids = [...new Set([...links].map(([, id = '']) => id))];
  if (ids.length !== 2) throw new Error(`wanted two exports, got ${ids.length}`);
  for (const [index, id] of ids.entries()) known.set(id, `[export ${index}]`);
  const deadline = Date.now() + PATIENCE_MS;
  for (const id of ids) {
    while (!(await read(`/dashboard/exports/${id}`)).includes('>Ready<')) {
      if (Date.now() > deadline) throw new Error('an export is not ready');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return ids;
}

export async function* pageItems(place: Place, sessions: Sessions, things: OwnThings): AsyncGenerator<Item> {
  for (const { path, reader, language } of pageTargets(place, things)) {
    const cookie = reader === 'anyone' ? {} : { cookie: sessions[reader] };
    const headers = { ...HTML, ...cookie, ...(language && { 'accept-language': language }) };
    yield await askItem(place, { path, headers }, `page ${path} (${reader}${language ? `, ${language}` : ''})`);
  }
  for (const [path, fields] of WRONG_FORMS) {
    const reader: Reader = path.startsWith('/dashboard') ? 'developer' : path.startsWith('/desk') ? 'operator' : 'anyone';
    const headers = { ...FORM, ...(reader !== 'anyone' && { cookie: sessions[reader] }) };
    const question: Question = { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() };
    yield await askItem(place, question, `page POST ${path} ${JSON.stringify(fields)}`);
  }
  const foreign = { ...HTML, 'content-type': FORM['content-type'], origin: 'https://another.example' };
  yield await askItem(
    place,
    { method: 'POST', path: '/sign-in', headers: foreign, body: 'a=b' },
    'page POST /sign-in of another site',
  );
  yield await askItem(
    place,
    { path: '/events', headers: { ...HTML, host: 'another.example' } },
    'page /events under another name',
  );
  for (const path of documentPaths(place, things)) yield await askItem(place, { path }, `document GET ${path}`);
  yield await untilTooMany(place);
}

interface PageTarget {
  path: string;
  reader: Reader;
  language?: string;
}

function pageTargets({ records }: Place, things: OwnThings): PageTarget[] {
  const { events, venues, listed, sources, runs, accounts } = records;
  /** In place of the patterns with a part that is filled in. */
  const filled: Readonly<Record<string, readonly string[]>> = {
    '/neighborhoods/:slug': ['/neighborhoods/meridian', '/neighborhoods/tannery-row', '/neighborhoods/nowhere'],
    '/events/:slug': [...events.slice(0, 14), ...listed].map(({ slug }) => `/events/${slug}`).concat('/events/nowhere'),
    '/events/:slug/event.ics': events.slice(0, 3).map(({ slug }) => `/events/${slug}/event.ics`),
    '/venues/:slug': venues
      .slice(0, 6)
      .map(({ slug }) => `/venues/${slug}`)
      .concat('/venues/nowhere'),
    '/letters/:id': ['/letters/0'],
    '/test-city/:kind/:slug': ['/test-city/events/made-up'],
    '/sitemaps/:file': ['/sitemaps/pages.xml', '/sitemaps/events-1.xml', '/sitemaps/venues-1.xml'],
    '/dashboard/exports/:id': things.exportIds.map((id) => `/dashboard/exports/${id}`),
    '/dashboard/feeds/:id': [`/dashboard/feeds/${things.feedId}`],
    '/dashboard/embeds/:id': [`/dashboard/embeds/${things.embedId}`],
    '/dashboard/webhooks/:id': ['/dashboard/webhooks/0'],
    '/desk/sources/:id': sources.map((id) => `/desk/sources/${id}`),
    '/desk/runs/:id': runs.map((id) => `/desk/runs/${id}`),
    '/desk/accounts/:id': accounts.map((id) => `/desk/accounts/${id}`),
    '/desk/events/:id': [...events.slice(8, 13), ...listed]
      .map(({ id }) => `/desk/events/${id}`)
      .concat(`/desk/events/${records.hidden}`),
    '/desk/venues/:id': venues.slice(0, 3).map(({ id }) => `/desk/venues/${id}`),
    '/*': ['/nowhere/at/all'],
  };
  const patterns = routePatterns().map(({ pattern }) => pattern);
  if (patterns.length < MIN_PAGES) throw new Error('the table of pages is nearly empty');
  const paths = patterns
    .filter((pattern) => !LIVE.has(pattern))
    .flatMap((pattern) => {
      const found = filled[pattern] ?? (/[:*]/.test(pattern) ? [] : [pattern]);
      if (found.length === 0) throw new Error(`pages.ts reads nothing of ${pattern}`);
      return found;
    });
  const readerOf = (path: string): Reader =>
    path.startsWith('/dashboard') ? 'developer' : path.startsWith('/desk') ? 'operator' : 'anyone';
  const event = events[0]?.slug;
  const inWords = [
    '/',
    '/events',
    '/search?ask=free+music+tonight',
    `/events/${event}`,
    `/venues/${venues[0]?.slug}`,
    '/neighborhoods',
  ];
  const reports = [`/report?event=${events[0]?.id}`, `/report?venue=${venues[0]?.id}`];
  return [
    ...[...paths, ...WITH_QUERIES, ...reports].map((path) => ({ path, reader: readerOf(path) })),
    ...['de', 'fr', 'es'].flatMap((language) =>
      [...inWords, '/venues', '/status', ...reports.slice(0, 1)].map((path) => ({ path, reader: 'anyone' as const, language })),
    ),
    // Pages look otherwise to those who are signed in, and are closed to others.
    ...['/', '/pricing', `/events/${event}`, '/desk', '/desk/events'].map((path) => ({ path, reader: 'developer' as const })),
    ...['/', '/dashboard', '/dashboard/keys'].map((path) => ({ path, reader: 'operator' as const })),
    ...['/dashboard', '/dashboard/feeds', '/desk', '/desk/sources'].map((path) => ({ path, reader: 'anyone' as const })),
  ];
}

/** Streams that end with their session, and what the moment alone decides. */
const LIVE: ReadonlySet<string> = new Set(['/dashboard/usage/live']);

const WITH_QUERIES = [
  ...[
    '/events?sort=start&page=2',
    '/events?view=map',
    '/events?view=calendar',
    '/events/concert?free=true',
    '/events?category=concert,comedy',
  ],
  ...[
    '/events?limit=x',
    '/events?ask=jazz+tomorrow',
    '/events/tonight?view=calendar',
    '/events?near=43.56,-87.845&radius=2000&sort=distance',
  ],
  ...[
    '/events.rss?category=concert',
    '/events.ics?when=tonight',
    '/venues?q=hall',
    '/venues/theater?neighborhood=meridian',
    '/venues?page=2',
  ],
  ...['/search?ask=free+music+tonight', '/search?ask=zzqqzz', '/search/suggestions?ask=ja', '/playground?endpoint=getEvent'],
  ...['/playground?endpoint=listEvents&category=concert', '/sign-in?next=/dashboard&done=reset', '/check-mail?for=sign-up'],
  ...['/verify?token=made-up', '/reset?token=made-up', '/welcome?token=made-up', '/docs?endpoint=listEvents'],
  ...[
    '/dashboard/feeds/new?category=concert&feed_name=Mine',
    '/dashboard/feeds/preview?category=concert',
    '/dashboard/usage?days=7',
  ],
  ...[
    '/dashboard/embeds/new?category=comedy&layout=map',
    '/desk/events?q=quartet',
    '/desk/events?q=operator+has+named',
    '/desk/venues?q=hall',
  ],
  ...['/desk/accounts?q=trial', '/desk/audit?action=key.create', '/desk/events?page=2'],
];

/** Forms that are refused: what a page says of them. */
const WRONG_FORMS: readonly [string, Record<string, string>][] = [
  ['/sign-in', { email: 'nobody@marquee.example', password: 'not the password' }],
  ['/sign-up', { email: 'x', password: 'short' }],
  ['/forgot', { email: '' }],
  ['/report', { kind: 'x' }],
  ['/dashboard/keys', { intent: 'create', name: '', plan: 'x', token: 'a' }],
  ['/dashboard/feeds/new', { intent: 'save', feed_name: '', category: 'nothing', token: 'b' }],
  ['/dashboard/embeds/new', { intent: 'save', feed_name: '', limit: 'x', layout: 'x', origins: 'x', token: 'c' }],
  ['/dashboard/exports', { intent: 'create', content: 'everything', format: 'x', repeat: 'x', token: 'd' }],
  ['/dashboard/webhooks/new', { intent: 'save', url: 'http://x', types: 'x', token: 'e' }],
  ['/dashboard/account', { intent: 'name', name: 'a'.repeat(101) }],
  ['/dashboard/plans', { intent: 'x' }],
  ['/desk/places', { intent: 'here', name: 'Gull Hall', address: '', point: '' }],
  ['/desk/incidents', { intent: 'open', title: '', message: '', impact: 'minor' }],
];

function documentPaths({ records: { events, venues, poster } }: Place, { feedUrls, embedId }: OwnThings): string[] {
  const oembed = (path: string, more = '') => `/oembed?url=${encodeURIComponent(PUBLIC_URL + path)}&format=json${more}`;
  return [
    ...[
      '/llms.txt',
      '/server.json',
      '/.well-known/mcp/server-card.json',
      '/.well-known/ai-catalog.json',
      '/.well-known/security.txt',
    ],
    ...['/healthz', '/readyz', '/status.rss', '/.well-known/marquee-export-key', '/embed/v1/marquee-events.js'],
    ...[
      `/embed/v1/${embedId}.json`,
      '/embed/v1/nothing.json',
      `/embed/${embedId}`,
      `/embed/${embedId}?lang=de`,
      '/embed/nothing',
    ],
    ...[oembed(`/embed/${embedId}`, '&maxwidth=300'), oembed(`/events/${events[0]?.slug}`), oembed(`/venues/${venues[0]?.slug}`)],
    ...[oembed('/nowhere'), '/oembed?format=xml', poster, '/posters/nothing.svg'],
    ...[`/images/${events[0]?.id}/1/share.png`, '/map/areas.json', '/map/tiles.pmtiles', '/docs/webhooks.json'],
    ...[...feedUrls, `/feeds/${'a'.repeat(43)}.ics`, '/feeds/short.ics', `/exports/${'a'.repeat(43)}/manifest.json`, '/metrics'],
  ];
}

/** The first refusal of a network that reads too many pages. */
async function untilTooMany(place: Place): Promise<Item> {
  const question = { path: '/search/suggestions?ask=ja', headers: { ...HTML, 'x-forwarded-for': '198.51.100.9' } };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const items = await Promise.all(Array.from({ length: 60 }, () => askItem(place, question, 'page too many of one network')));
    const refused = items.find(({ status }) => status === 429);
    if (refused) return refused;
  }
  throw new Error('no network was ever refused a page');
}

const MIN_PAGES = 100;
const MAX_ROUNDS = 30;
