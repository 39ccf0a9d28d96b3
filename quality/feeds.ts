/** How feeds are read, measured on the cases of the W3C feed validator: 1 461 documents, each good or bad in one way. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseFeed } from 'feedsmith';
import { readXml } from '../src/providers/kinds/feed/read-xml.ts';
import { feed } from '../src/providers/kinds/feed.ts';
import type { ListingPage, SourceFacts } from '../src/providers/provider.ts';
import { ProviderError } from '../src/providers/provider-error.ts';
import { decodeText } from '../src/providers/reading/decode-text.ts';
import type { Figure } from './figure.ts';
import { type ArchivedFile, untar } from './untar.ts';

const DATA = new URL('../../shared/data/', import.meta.url).pathname;
const ARCHIVE = `${DATA}conformance/feeds/w3c-feedvalidator-testcases.tar.gz`;
const CITIES = `${DATA}events/ec2u-provider-samples/`;

export const FEEDS_DATA = { missing: !existsSync(ARCHIVE) } as const;

export interface FeedCase {
  path: string;
  /** What the document was refused for; null for one that was read. */
  refusal: ProviderError['code'] | null;
  /** Starts of its items that are events. */
  starts: (string | null)[];
  milliseconds: number;
}

export function readFeedCases(): FeedCase[] {
  return documents().map(({ path, bytes }) => {
    const begun = performance.now();
    let outcome: Pick<FeedCase, 'refusal' | 'starts'>;
    try {
      const { listings } = read(bytes);
      outcome = {
        refusal: null,
        starts: listings.flatMap((each) =>
          each.ok === true && each.listing.target === 'events' ? [each.listing.event.start] : [],
        ),
      };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      outcome = { refusal: error.code, starts: [] };
    }
    return { path, ...outcome, milliseconds: performance.now() - begun };
  });
}

/** What the feeds of European cities give, by file: how many events and refused items, or why the document is refused. */
export function readCityFeeds(): Record<string, string> {
  const files = readdirSync(CITIES).filter((file) => file.endsWith('.xml'));
  return Object.fromEntries(files.sort().map((file) => [file, outcomeOf(readFileSync(CITIES + file))]));
}

function outcomeOf(bytes: Uint8Array): string {
  try {
    const { listings } = read(bytes);
    const events = listings.filter(({ ok }) => ok === true).length;
    return `${events} events, ${listings.length - events} refused`;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return error.code;
  }
}

function read(bytes: Uint8Array): ListingPage {
  return feed.read({ url: SOURCE.location, body: bytes, contentType: null }, SOURCE) as ListingPage;
}

/** The titles of all items, as ours and as another reader give them, of the documents that both can read. */
export function compareTitles(): { path: string; ours: (string | null)[]; theirs: (string | null)[] }[] {
  return documents().flatMap(({ path, bytes }) => {
    try {
      const text = decodeText({ body: bytes, contentType: null });
      const ours = readXml(text).items.map(
        ({ fields }) => fields.find((each) => each.name === 'title' && each.space === 'core' && each.parent === '')?.text || null,
      );
      return [{ path, ours, theirs: theirTitles(text) }];
    } catch {
      return [];
    }
  });
}

export function feedFigures(): Figure[] {
  if (FEEDS_DATA.missing) return [];
  const cases = readFeedCases();
  const refused = cases.filter(({ refusal }) => refusal !== null);
  const titles = compareTitles();
  const same = titles.filter(({ ours, theirs }) => ours.join('\n') === theirs.join('\n'));
  const slowest = Math.max(...cases.map(({ milliseconds }) => milliseconds));
  const command = 'npm run quality';
  return [
    {
      name: 'feed documents read, or refused with a reason',
      value: `${cases.length - refused.length} read and ${refused.length} refused of ${cases.length}`,
      command,
      note: `the slowest took ${slowest.toFixed(0)} ms`,
    },
    {
      name: 'feed documents whose items have the titles that feedsmith reads',
      value: `${same.length} of ${titles.length}`,
      command,
      note: 'of the documents that both can read; the others are explained in test/providers/recorded-feeds.test.ts',
    },
  ];
}

function documents(): ArchivedFile[] {
  return untar(readFileSync(ARCHIVE)).filter(({ path }) => path.endsWith('.xml'));
}

function theirTitles(text: string): (string | null)[] {
  const read = parseFeed(text);
  const items: readonly { title?: string | { value?: string } }[] =
    (read.format === 'atom' ? read.feed.entries : read.feed.items) ?? [];
  return items.map(({ title }) => (typeof title === 'object' ? title.value : title) ?? null);
}

const SOURCE: SourceFacts = {
  name: 'feeds',
  location: 'https://feeds.example/feed.xml',
  mapping: null,
  key: null,
  zone: 'UTC',
  locales: ['en-US'],
  window: { from: 0, until: 0 },
};
