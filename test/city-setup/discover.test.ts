import { expect, it } from 'vitest';
import { discoverSources } from '../../src/city-setup/index.ts';

const candidate = (location: string) => ({
  ...{ kind: 'ical', location, platform: 'ical', title: 'Dates', events: 3, sample: [], warnings: [], preferred: true },
});

it('asks each host once, leaves known sources out, and tells why a site has none', async () => {
  const asked: string[] = [];
  const told: string[] = [];
  const sites = await discoverSources(
    [
      { venue: 'Annex', website: 'https://www.hall.test/about/annex' },
      { venue: 'Hall', website: 'http://hall.test/' },
      { venue: 'Library', website: 'https://library.test/' },
      { venue: 'Mill', website: 'https://mill.test/' },
    ],
    {
      known: new Set(['https://library.test/a.ics']),
      async find(address) {
        asked.push(address);
        const found: Record<string, ReturnType<typeof candidate>[]> = {
          'http://hall.test/': [candidate('https://hall.test/a.ics')],
          'https://library.test/': [candidate('https://library.test/a.ics')],
        };
        const candidates = found[address] ?? [];
        return { candidates, notes: candidates.length > 0 ? [] : ['the site did not answer'], isReached: true, requests: 1 };
      },
      onSite: ({ venue }) => void told.push(venue),
    },
  );
  expect(asked.sort()).toEqual(['http://hall.test/', 'https://library.test/', 'https://mill.test/']);
  expect(told.sort()).toEqual(['Annex', 'Hall', 'Library', 'Mill']);
  expect(sites).toEqual([
    { venue: 'Annex', website: 'https://www.hall.test/about/annex', reason: 'it is on the site of Hall' },
    { venue: 'Hall', website: 'http://hall.test/', candidates: [candidate('https://hall.test/a.ics')] },
    { venue: 'Library', website: 'https://library.test/', reason: 'its calendars are sources already' },
    { venue: 'Mill', website: 'https://mill.test/', reason: 'the site did not answer' },
  ]);
});

it('goes on after a site that cannot be judged', async () => {
  const sites = await discoverSources(
    [
      { venue: 'Hall', website: 'https://hall.test/' },
      { venue: 'Mill', website: 'https://mill.test/' },
    ],
    {
      known: new Set(),
      async find(address) {
        if (address.includes('hall')) throw new TypeError('Invalid URL');
        return { candidates: [candidate('https://mill.test/a.ics')], notes: [], isReached: true, requests: 1 };
      },
      onSite: () => undefined,
    },
  );
  expect(sites).toEqual([
    { venue: 'Hall', website: 'https://hall.test/', reason: 'it could not be looked at: Invalid URL' },
    { venue: 'Mill', website: 'https://mill.test/', candidates: [candidate('https://mill.test/a.ics')] },
  ]);
});

it('looks at the front page of a site where the page of the venue has nothing', async () => {
  const asked: string[] = [];
  const sites = await discoverSources([{ venue: 'Hall', website: 'https://hall.test/about/us' }], {
    known: new Set(),
    async find(address) {
      asked.push(address);
      const candidates = address === 'https://hall.test/' ? [candidate('https://hall.test/a.ics')] : [];
      return { candidates, notes: ['hall.test answered with status 404'], isReached: true, requests: 1 };
    },
    onSite: () => undefined,
  });
  expect(asked).toEqual(['https://hall.test/about/us', 'https://hall.test/']);
  expect(sites).toMatchObject([{ website: 'https://hall.test/about/us', candidates: [{ location: 'https://hall.test/a.ics' }] }]);
});
