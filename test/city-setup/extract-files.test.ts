import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openExtract, readExtract } from '../../src/city-setup/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { TOWN, townExtract } from '../support/records/extract.ts';
import { osmPbf, osmXml, plainElements } from '../support/records/osm-files.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

async function read(name: string, content: string | Buffer) {
  const file = join(folder, name);
  writeFileSync(file, content);
  return await readExtract(await openExtract(file), TOWN);
}

const { elements } = townExtract();
const border = {
  type: 'relation',
  id: 9,
  tags: { boundary: 'administrative', admin_level: '8', name: TOWN },
  members: [
    { type: 'way', ref: 91, role: 'outer', geometry: [corner(-1, -1), corner(80, -1), corner(80, 60)] },
    { type: 'way', ref: 92, role: 'outer', geometry: [corner(80, 60), corner(-1, 60), corner(-1, -1)] },
  ],
};
function corner(east: number, north: number) {
  return { lat: Math.round((52.4 + north / 1000) * 1e6) / 1e6, lon: Math.round((-1.3 + east / 1000) * 1e6) / 1e6 };
}
const overpass = (remark?: string) =>
  JSON.stringify({ version: 0.6, elements: [...elements, border], ...(remark && { remark }) });
const plain = plainElements([...elements, border]);

describe('an extract', () => {
  it.each([
    ['town.osm.pbf', osmPbf(plain)],
    ['town.osm', osmXml(plain)],
    ['town.osm.gz', gzipSync(osmXml(plain))],
    ['town.json.gz', gzipSync(overpass())],
  ])('is the same in each format: %s', async (name, content) => {
    const [expected, found] = [await read('town.json', overpass()), await read(name, content)];
    expect(found.hasBorder).toBe(true);
    expect(found.neighborhoods.map(({ properties }) => properties.name)).toContain('Weirside');
    expect(found.venues.map(({ tags }) => tags)).toEqual(expect.arrayContaining(expected.venues.map(({ tags }) => tags)));
    expect({ ...found, venues: found.venues.length, neighborhoods: areasOf(found) }).toEqual({
      ...expected,
      venues: expected.venues.length,
      neighborhoods: areasOf(expected),
    });
  });

  it('is read from XML that has the shapes of its lines', async () => {
    const nds = (line: readonly { lat: number; lon: number }[]) => line.map(({ lat, lon }) => `<nd lat="${lat}" lon="${lon}"/>`);
    const members = border.members.map(
      ({ ref, geometry }) => `<member type="way" ref="${ref}" role="outer">${nds(geometry).join('')}</member>`,
    );
    const tags = Object.entries(border.tags).map(([k, v]) => `<tag k="${k}" v="${v}"/>`);
    const found = await read('shapes.osm', `<osm><relation id="9">${members.join('')}${tags.join('')}</relation></osm>`);
    expect(found).toMatchObject({ hasBorder: true, isCenterGuessed: false });
  });

  it.each([
    ['cut.osm.pbf', osmPbf(plain).subarray(0, 900), /^Cannot read the extract .*cut\.osm\.pbf: the file ends in the middle\.$/],
    ['cut.osm', osmXml(plain).slice(0, -20), /the file ends in the middle\.$/],
    ['photo.png', Buffer.from([0x89, 0x50, 0, 0, 1]), /none of them\.$/],
    [
      'areas.geojson',
      '{"type":"FeatureCollection","features":[]}',
      /wanted OpenStreetMap as PBF, XML or Overpass JSON, and it is GeoJSON\.$/,
    ],
    [
      'part.json',
      overpass('runtime error: Query timed out in "query" at line 3 after 25 seconds.'),
      /it holds only a part, so ask Overpass again.*after 25 seconds\.$/,
    ],
    ['full.json', overpass('runtime error: Query run out of memory using about 512 MB of RAM.'), /it holds only a part/],
  ])('is refused with a reason: %s', async (name, content, reason) => {
    await expect(read(name, content)).rejects.toThrow(reason);
  });
});

const areasOf = ({ neighborhoods }: Awaited<ReturnType<typeof read>>) =>
  neighborhoods
    .map(({ properties, geometry }) => ({ ...properties, corners: new Set(geometry.coordinates[0]?.map(String)) }))
    .sort((a, b) => a.slug.localeCompare(b.slug));
