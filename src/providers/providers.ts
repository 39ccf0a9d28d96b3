/** Every kind of source, in the order in which a person is told of them. */

import { bandsintown } from './kinds/bandsintown.ts';
import { eventbrite } from './kinds/eventbrite.ts';
import { feed } from './kinds/feed.ts';
import { geojson } from './kinds/geojson.ts';
import { ical } from './kinds/ical.ts';
import { jsonld } from './kinds/jsonld.ts';
import { csv, json } from './kinds/mapped.ts';
import { microformats } from './kinds/microformats.ts';
import { openagenda } from './kinds/openagenda.ts';
import { osm } from './kinds/osm.ts';
import { legistar } from './kinds/platforms/legistar.ts';
import { linkedevents } from './kinds/platforms/linkedevents.ts';
import { livewhale } from './kinds/platforms/livewhale.ts';
import { localist } from './kinds/platforms/localist.ts';
import { squarespace } from './kinds/platforms/squarespace.ts';
import { tribe } from './kinds/platforms/tribe.ts';
import { seatgeek } from './kinds/seatgeek.ts';
import { socrata } from './kinds/socrata.ts';
import { ticketmaster } from './kinds/ticketmaster.ts';
import { withMapping } from './mapping/with-mapping.ts';
import type { Provider } from './provider.ts';

export const PROVIDERS: readonly Provider[] = [
  jsonld,
  microformats,
  feed,
  ical,
  ticketmaster,
  seatgeek,
  eventbrite,
  bandsintown,
  openagenda,
  linkedevents,
  tribe,
  squarespace,
  legistar,
  localist,
  livewhale,
  socrata,
  json,
  csv,
  geojson,
  osm,
].map(withMapping);
export const PROVIDER_KINDS: readonly string[] = PROVIDERS.map(({ kind }) => kind);
