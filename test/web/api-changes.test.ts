/** The pages and the feed about changes of the API. One engine is enough: they read no database. */

import { beforeAll, describe, expect, test } from 'vitest';
import { API_CHANGES, createOpenApi } from '../../src/api/index.ts';
import { readDeprecations } from '../../src/web/server/api-changes.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});

const read = async (path: string) => {
  const answer = await site.ask(path, { headers: { accept: 'text/html' } });
  expect(answer.status).toBe(200);
  return { text: await answer.text(), headers: answer.headers };
};

describe('changes of the API', () => {
  test('stand on a page and in a feed, each under an address of its own', async () => {
    const { text } = await read('/changelog');
    const { text: rss, headers } = await read('/changelog.rss');
    expect(headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    const links = [...rss.matchAll(/<link>([^<]*#[^<]+)<\/link>/g)].map(([, link = '']) => new URL(link));
    expect(links).toHaveLength(API_CHANGES.length);
    for (const { pathname, hash } of links) {
      expect(pathname).toBe('/changelog');
      expect(text).toContain(`id="${hash.slice(1)}"`);
    }
    expect(text).toContain('href="/changelog.rss"');
  });

  test('that are to come are said to be none while there are none', async () => {
    const { text } = await read('/docs/deprecation');
    expect(text).toContain('Nothing is deprecated now.');
    expect(text).toContain('at least <!-- -->180<!-- --> days');
  });

  test('that are to come are read from the OpenAPI document, what ends first at the top', () => {
    const row = { announced: '2027-01-01', instead: 'Use something else.' };
    const document = createOpenApi('https://events.example.org', [
      { ...row, path: '/events', parameter: 'radius', ends: '2028-01-01' },
      { ...row, path: '/trending', ends: '2027-07-01' },
    ]);
    expect(readDeprecations(document)).toEqual([
      { ...row, anchor: 'trending', path: '/trending', parameter: null, ends: '2027-07-01' },
      { ...row, anchor: 'events-radius', path: '/events', parameter: 'radius', ends: '2028-01-01' },
    ]);
  });
});
