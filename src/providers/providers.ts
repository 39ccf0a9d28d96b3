/** Every kind of source, in the order in which a person is told of them. */

import { bandsintown } from './bandsintown.ts';
import { eventbrite } from './eventbrite.ts';
import { feed } from './feed.ts';
import { geojson } from './geojson.ts';
import { ical } from './ical.ts';
import { jsonld } from './jsonld.ts';
import { linkedevents } from './linkedevents.ts';
import { csv, json } from './mapped.ts';
import { openagenda } from './openagenda.ts';
import { osm } from './osm.ts';
import type { Provider } from './provider.ts';
import { seatgeek } from './seatgeek.ts';
import { socrata } from './socrata.ts';
import { ticketmaster } from './ticketmaster.ts';

export const PROVIDERS: readonly Provider[] = [
  jsonld,
  feed,
  ical,
  ticketmaster,
  seatgeek,
  eventbrite,
  bandsintown,
  openagenda,
  linkedevents,
  socrata,
  json,
  csv,
  geojson,
  osm,
];
export const PROVIDER_KINDS: readonly string[] = PROVIDERS.map(({ kind }) => kind);
