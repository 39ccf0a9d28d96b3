/** GeoJSON (RFC 7946): one point for each record, the record as the JSON list serves it in `properties`. */

import type { Form, ListFacts, ServedEvent, ServedVenue } from './model.ts';

export const eventGeojson: Form<ServedEvent> = {
  ...form(),
  record: ({ event: { id, venue }, json }) => writeFeature(id, venue, json),
};

export const venueGeojson: Form<ServedVenue> = {
  ...form(),
  record: ({ venue, json }) => writeFeature(venue.id, venue, json),
};

function form() {
  return {
    extension: 'geojson',
    mediaType: 'application/geo+json',
    contentType: 'application/geo+json',
    separator: ',\n',
    open: () => '{"type":"FeatureCollection","features":[\n',
    close: ({ meta }: ListFacts) => `\n]${meta === undefined ? '' : `,"meta":${meta}`}}\n`,
  };
}

/** Longitude comes first (§3.1.1). */
function writeFeature(id: string, { latitude, longitude }: { latitude: number; longitude: number }, properties: string): string {
  const geometry = `{"type":"Point","coordinates":[${longitude},${latitude}]}`;
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`;
}
