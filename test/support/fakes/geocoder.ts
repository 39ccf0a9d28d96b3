/** A Nominatim or a Photon service on loopback: it knows a few places, and notes when it was asked what and by whom. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakePlace {
  /** What the question must hold. */
  asked: string;
  type: 'house' | 'street' | 'suburb' | 'city';
  name?: string;
  number?: string;
  street?: string;
  town?: string;
  latitude: number;
  longitude: number;
  osmType?: 'node' | 'way';
}

export async function openFakeGeocoder(kind: 'nominatim' | 'photon') {
  const requests: { path: string; question: string; userAgent: string; fields: URLSearchParams }[] = [];
  const fake = {
    requests,
    places: [] as FakePlace[],
    /** Instead of an answer. */
    refuse: null as ((response: ServerResponse) => void) | null,
    setting: '',
    address: { kind, url: '' },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const question = searchParams.get('q') ?? '';
    requests.push({ path: pathname, question, userAgent: request.headers['user-agent'] ?? '', fields: searchParams });
    if (fake.refuse) return fake.refuse(response);
    const found = fake.places.filter(({ asked }) => question.includes(asked));
    const answer = kind === 'nominatim' ? found.map(nominatimOf) : { type: 'FeatureCollection', features: found.map(photonOf) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.address.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  fake.setting = `${kind}+${fake.address.url}`;
  return fake;
}

const nominatimOf = ({ type, name, number, street, town = 'Fernmoor', latitude, longitude, osmType = 'node' }: FakePlace) => ({
  lat: String(latitude),
  lon: String(longitude),
  category: type === 'street' ? 'highway' : 'place',
  type: type === 'street' ? 'residential' : type,
  addresstype: type === 'house' ? 'place' : type === 'street' ? 'road' : type,
  name: name ?? (type === 'street' ? street : ''),
  osm_type: osmType,
  address: { house_number: number, road: street, [type === 'suburb' ? 'suburb' : 'city']: name ?? town, city: town },
});

const photonOf = ({ type, name, number, street, town = 'Fernmoor', latitude, longitude, osmType = 'node' }: FakePlace) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties: {
    osm_key: type === 'street' ? 'highway' : 'place',
    osm_value: type === 'street' ? 'residential' : type,
    osm_type: osmType === 'way' ? 'W' : 'N',
    type: type === 'suburb' ? 'district' : type,
    name: name ?? (type === 'street' ? street : undefined),
    housenumber: number,
    street: type === 'house' ? street : undefined,
    city: town,
  },
});
