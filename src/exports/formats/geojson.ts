/** GeoJSON (RFC 7946): each part is a FeatureCollection of its own. */

import type { Format, RecordBatch } from './format.ts';

export const geojson: Format = {
  extension: 'geojson',
  contentType: 'application/geo+json; charset=utf-8',
  begin(file) {
    let isEmpty = true;
    let formatted: { batch: RecordBatch; bytes: Buffer } | null = null;
    const bytesOf = (batch: RecordBatch): Buffer => {
      if (formatted?.batch !== batch) formatted = { batch, bytes: Buffer.from(batch.records().map(formatFeature).join(',\n')) };
      return formatted.bytes;
    };
    file.append(Buffer.from(HEAD));
    return {
      bytesWith: (batch) => file.bytes() + SEPARATOR.length + bytesOf(batch).length + TAIL.length,
      write(batch) {
        if (batch.count === 0) return;
        if (!isEmpty) file.append(Buffer.from(SEPARATOR));
        isEmpty = false;
        file.append(bytesOf(batch));
      },
      end: () => file.append(Buffer.from(TAIL)),
    };
  },
};

/** Longitude first. An event is where its venue is; without the column of the venue it is nowhere. */
function formatFeature(record: Readonly<Record<string, unknown>>): string {
  const place = (record.venue ?? record) as { latitude?: number; longitude?: number };
  const { latitude, longitude } = place;
  const geometry =
    latitude === undefined || longitude === undefined ? null : { type: 'Point', coordinates: [longitude, latitude] };
  return JSON.stringify({ type: 'Feature', id: record.id, geometry, properties: record });
}

const HEAD = '{"type":"FeatureCollection","features":[\n';
const SEPARATOR = ',\n';
const TAIL = '\n]}\n';
