/** Files of OpenStreetMap as elements: XML, PBF and the JSON of Overpass. */

import type { Readable } from 'node:stream';
import { Parser } from 'htmlparser2';
import { OSMTransform } from 'osm-pbf-parser-node';
import { jsonItems } from './json-items.ts';
import type { OsmElement } from './osm.ts';

/** https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL#Output_Format_(out:json) */
export async function* overpassElements(chunks: AsyncIterable<string>): AsyncGenerator<OsmElement[]> {
  for await (const items of jsonItems(chunks, false)) {
    yield items.map((item) => {
      const { nodes, ...element } = item as OsmElement & { nodes?: number[] };
      return nodes ? { ...element, refs: nodes } : element;
    });
  }
}

/** https://wiki.openstreetmap.org/wiki/OSM_XML */
export async function* xmlElements(chunks: AsyncIterable<string>): AsyncGenerator<OsmElement[]> {
  let elements: OsmElement[] = [];
  let current: (OsmElement & { refs: number[]; tags: Record<string, string> }) | null = null;
  const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
  const parser = new Parser(
    {
      onopentag(name, { id, lat, lon, k, v, ref }) {
        if (name === 'node' || name === 'way' || name === 'relation') {
          current = { type: name, id: Number(id), lat: numberOf(lat), lon: numberOf(lon), tags: {}, refs: [] };
        } else if (name === 'tag' && current && k !== undefined && v !== undefined) current.tags[k] = v;
        else if (name === 'nd' && current && ref !== undefined) current.refs.push(Number(ref));
        else if (name === 'center' && current && lat !== undefined && lon !== undefined) {
          current.center = { lat: Number(lat), lon: Number(lon) };
        }
      },
      onclosetag(name) {
        if (current?.type !== name) return;
        elements.push(current);
        current = null;
      },
    },
    { xmlMode: true },
  );
  for await (const chunk of chunks) {
    parser.write(chunk);
    yield elements;
    elements = [];
  }
  parser.end();
}

/** https://wiki.openstreetmap.org/wiki/PBF_Format */
export async function* pbfElements(chunks: Readable): AsyncGenerator<OsmElement[]> {
  const parser = new SafeTransform({ withTags: { node: TAGS, way: TAGS, relation: TAGS }, withInfo: false });
  chunks.once('error', (error) => parser.destroy(error));
  for await (const batch of chunks.pipe(parser)) {
    yield (batch as (OsmElement | object)[]).filter((element): element is OsmElement => 'type' in element);
  }
}

/** The parser throws where a stream should fail. */
class SafeTransform extends OSMTransform {
  override _transform(...[chunk, encoding, next]: Parameters<OSMTransform['_transform']>): void {
    try {
      super._transform(chunk, encoding, next);
    } catch (error) {
      next(error as Error);
    }
  }

  override _flush(next: Parameters<OSMTransform['_flush']>[0]): void {
    try {
      super._flush(next);
    } catch {
      next(new Error('the file ends in the middle'));
    }
  }
}

const TAGS = [
  ...['addr:housenumber', 'addr:street', 'addr:place', 'addr:city', 'addr:town', 'addr:village', 'addr:hamlet', 'addr:postcode'],
  ...['highway', 'name', 'place'],
];
