/** An event or venue as its public page shows it. */

import type { CapacityTier, Category, EventStatus, OpeningHours, StartPrecision, VenueType } from '../../catalog/index.ts';
import type { EventPicture, ShareImage } from '../../pictures/index.ts';
import type { RecordMap } from './map.ts';

export interface PublicEvent {
  id: string;
  slug: string;
  title: string;
  category: Category;
  startDatetime: string;
  endDatetime: string | null;
  startPrecision: StartPrecision;
  /** City time with offset; null if the event was not moved. */
  movedFrom: string | null;
  status: EventStatus;
  description: string | null;
  picture: EventPicture;
  share: ShareImage;
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
  /** ISO 4217. */
  currency: string;
  performers: string[];
  tags: string[];
  sources: string[];
  /** The way on: its pages at the providers, those that sell tickets first. */
  links: ProviderLink[];
  url: string;
  venue: {
    id: string;
    name: string;
    slug: string;
    address: string | null;
    neighborhood: AreaName | null;
    latitude: number;
    longitude: number;
    website: string | null;
  };
  /** Null where only an area is known. */
  map: RecordMap | null;
  calendars: { google: string; outlook: string };
  isOver: boolean;
  /** Search engines should forget the page. */
  isOld: boolean;
  /** Other nights of the same program at the venue, the soonest first. */
  nights: ComingEvent[];
  atVenue: EventTeaser[];
  /** On the same night, not far from it. */
  nearby: EventTeaser[];
  /** JSON-LD. */
  markup: string[];
}

export interface ProviderLink {
  url: string;
  /** As people know the provider. */
  provider: string;
  sellsTickets: boolean;
}

export interface AreaName {
  slug: string;
  name: string;
}

export interface PublicVenue {
  id: string;
  slug: string;
  name: string;
  type: VenueType;
  neighborhood: AreaName | null;
  address: string | null;
  latitude: number;
  longitude: number;
  capacityTier: CapacityTier | null;
  website: string | null;
  parking: string | null;
  transitNearby: string[];
  hours: OpeningHours | null;
  /** Null where only an area is known. */
  map: RecordMap | null;
  url: string;
  /** The soonest first. */
  upcoming: { total: number; events: EventTeaser[] };
  share: ShareImage | null;
  /** JSON-LD. */
  markup: string[];
}

export interface ComingEvent {
  id: string;
  slug: string;
  title: string;
  startDatetime: string;
  startPrecision: StartPrecision;
}

/** An event in a list beside another record. */
export interface EventTeaser
  extends ComingEvent,
    Pick<PublicEvent, 'category' | 'isFree' | 'priceMin' | 'priceMax' | 'currency'> {
  picture: EventPicture;
  venueName: string;
  isSoldOut: boolean;
}

/** A record that was removed, with what a reader may want in its place. */
export interface RemovedRecord {
  isGone: true;
  kind: 'event' | 'venue';
  teasers: EventTeaser[];
}
