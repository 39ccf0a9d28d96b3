/** What is asked about the stored city, of the version that made it and of this one, and how an answer is kept and compared. */

import { type Answer, type Ask, headerOf, type Question } from '../../proof/client.ts';
import type { Ended } from '../../support/rigs/service.ts';

/** What the stored city was made with. Every secret in it was made for it alone and opens nothing else. */
export interface Made {
  password: string;
  keys: Readonly<Record<'enterprise' | 'starter' | 'test' | 'revoked' | 'rotated', string>>;
  /** By the name of the bundle or of the source. */
  events: Readonly<Record<string, string>>;
  venues: Readonly<Record<string, string>>;
  feedId: string;
  /** Paths with a secret. */
  feedUrls: readonly string[];
  embedId: string;
  exportId: string;
  /** Paths with a secret or a signature. */
  exportFiles: readonly string[];
  webhookId: string;
  webhookSecret: string;
}

/** The directory's clock stands here: a Wednesday at two in the afternoon in Tidewater. */
export const CITY_NOW = '2019-06-19T18:00:00Z';
export const CITY_URL = 'https://tidewater.example';
export const DEVELOPER = 'ada@marquee.example';
export const OPERATOR = 'olive@marquee.example';

/** How the endpoint is saved. */
export const WEBHOOK_FORM = { intent: 'save', payload: 'full', order: 'parallel', types: 'event.updated', feed: '' };

/** An answer as it is kept: a body of JSON as it is, every other text as its lines. */
export interface KeptAnswer {
  status: number;
  /** Requests a day, where a key was used. */
  limit?: string;
  location?: string;
  body: unknown;
}

/** By the name of the question. Names hold no secret. */
export type KeptAnswers = Record<string, KeptAnswer>;

export async function askEverything(ask: Ask, made: Made, command: (words: readonly string[]) => Promise<Ended>) {
  const answers: KeptAnswers = {};
  for (const [name, question] of Object.entries(questions(made))) answers[name] = keep(await ask(question));
  for (const words of COMMANDS) {
    const { status, stdout } = await command(words);
    answers[`marquee ${words.join(' ')}`] = { status, body: bodyOf(stdout) };
  }
  return answers;
}

function questions(made: Made): Record<string, Question> {
  const { keys, events, venues } = made;
  const api = (path: string, key: keyof Made['keys'] = 'enterprise'): [string, Question] => [
    `${path} (${key})`,
    { path: `/api/v1${path}`, headers: { 'x-api-key': keys[key] } },
  ];
  return Object.fromEntries([
    ...[`/events?${ALL}`, '/events', '/events?ask=free+music+tonight', '/venues?limit=50', '/neighborhoods', '/trending'].map(
      (path) => api(path),
    ),
    ...Object.values(events).map((id) => api(`/events/${id}?include=${EXTRAS}`)),
    ...Object.values(venues).flatMap((id) => [api(`/venues/${id}?include=locationPrecision`), api(`/venues/${id}/events`)]),
    ...[`/events.ics?${ALL}`, `/events.csv?${ALL}`, `/events.jsonld?${ALL}`, '/venues.geojson'].map((path) => api(path)),
    ...['/changes?kind=any&limit=1000', '/changes/checksum?entity=event', '/feeds', '/exports', `/exports/${made.exportId}`].map(
      (path) => api(path),
    ),
    ...(['starter', 'rotated', 'revoked'] as const).map((key) => api('/events?limit=1', key)),
    // Of the test city, nothing but that the key is known.
    api('/events?q=zzqq', 'test'),
    ...made.feedUrls.map((path): [string, Question] => [`a feed as ${path.split('.').at(-1)}`, { path }]),
    ...made.exportFiles.map((path): [string, Question] => [`of an export, ${path.split('/').at(-1)}`, { path }]),
    ...[`/embed/v1/${made.embedId}.json`, '/status.rss'].map((path): [string, Question] => [path, { path }]),
  ]);
}

/** They print JSON. */
const COMMANDS = ['source', 'run', 'review', 'incident'].map((word) => [word, 'list', '--json']);

/** Every event, whatever its time and status. */
const ALL = 'start_date=2019-06-01&end_date=2020-12-31&status=any&ongoing=true&limit=50&sort=start';
/** Without `score`: how a score is computed is no matter of what is stored. */
const EXTRAS = 'status,timezone,currency,updatedAt,startPrecision,locationPrecision';

function keep(answer: Answer): KeptAnswer {
  const [limit, location] = ['x-ratelimit-limit', 'location'].map((name) => headerOf(answer, name));
  return {
    status: answer.status,
    ...(limit && { limit }),
    ...(location && { location }),
    body: bodyOf(answer.body.toString()),
  };
}

function bodyOf(text: string): unknown {
  // The id of a request is made of its moment and of random letters; the address of a poster ends with what it depends on.
  const known = text
    .replace(/\b0[0-9A-HJKMNP-TV-Z]{25}\b/g, '[request]')
    .replace(/(\/posters\/[\w-]+-)\w{8}\.svg/g, '$1[drawing].svg');
  return /^[[{]/.test(known) && !known.trimEnd().includes('}\n{') ? JSON.parse(known) : known.split(/\r?\n/);
}
