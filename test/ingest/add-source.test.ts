import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSource } from '../../src/ingest/index.ts';
import { PROVIDERS } from '../../src/providers/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';

let test: TestStore;
const temporary = temporaryFolder();
const file = join(temporary.folder, 'answer.json');
beforeAll(async () => {
  test = await openTestStore();
  writeFileSync(file, '{}');
});
afterAll(async () => {
  temporary.remove();
  await test.dispose();
});

describe('the location of a source', () => {
  it.each([
    ['ticketmaster', 'dmaId=345'],
    ['bandsintown', 'Artist: Ada Lowe'],
    ['osm', 'bbox=40.5,-74.3,40.95,-73.65'],
    ['socrata', 'https://data.example/resource/abcd-1234.json'],
    ['linkedevents', 'https://events.example/v1/event/'],
  ])('may be words or an address that %s understands, before its key is set: %s', async (kind, location) => {
    expect(await addSource({ store: test.store, kind, location, mapping: null, name: kind })).toMatchObject({
      ok: true,
      source: { location },
    });
  });

  it('may be a file for every kind', async () => {
    expect(await addSource({ store: test.store, kind: 'seatgeek', location: file, mapping: null, name: 'copy' })).toMatchObject({
      source: { location: pathToFileURL(file).href },
    });
    // Kinds without words of their own take one that is still to come.
    const missing = join(temporary.folder, 'later.geojson');
    expect(
      await addSource({ store: test.store, kind: 'geojson', location: missing, mapping: null, name: 'later' }),
    ).toMatchObject({
      source: { location: pathToFileURL(missing).href },
    });
  });

  it('is refused where the kind does not understand it', async () => {
    expect(await addSource({ store: test.store, kind: 'eventbrite', location: 'New York', mapping: null, name: 'x' })).toEqual({
      ok: false,
      reason: 'the location is neither a URL nor a file',
    });
  });
});

describe('the mapping of a source', () => {
  const add = (kind: string, mapping: unknown) =>
    addSource({ store: test.store, kind, location: file, mapping, name: `mapped ${kind}` });

  it.each(PROVIDERS.filter((each) => each.mapping !== 'needed'))(
    'may lie over $kind, and is refused by the name of its field',
    async ({ kind, target }) => {
      const fields = target === 'venues' ? { type: { const: 'bar' } } : { category: { path: 'category', default: 'comedy' } };
      expect(await add(kind, { fields: { ...fields, colour: 'x' } })).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^the mapping is not valid: fields\.colour: wanted one of /),
      });
      expect(await add(kind, { fields, drop: [{ path: 'title' }] })).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^the mapping is not valid: drop\[0\]: wanted one of /),
      });
      expect(await add(kind, { fields })).toMatchObject({ ok: true, source: { kind, mapping: { fields } } });
    },
  );

  it('is needed by JSON and CSV', async () => {
    expect(await add('csv', null)).toEqual({ ok: false, reason: 'a source of kind csv needs a mapping' });
    expect(await add('csv', {})).toEqual({ ok: false, reason: 'the mapping is not valid: fields: wanted a rule, got nothing' });
  });
});
