/** An event or venue as its public page shows it. */

import type { EventPicture, ShareImage } from '../../pictures/index.ts';
import type {
  EventDetail,
  EventStatus,
  OpeningHours,
  Organizer,
  StartPrecision,
  VenueFields,
  VenueSummary,
} from '../../records/index.ts';
import type { RecordMap } from './map.ts';

export interface PublicEvent extends Omit<EventDetail, 'venue'> {
  startPrecision: StartPrecision;
  /** City time with offset; null if the event was not moved. */
  movedFrom: string | null;
  status: EventStatus;
  organizer: Organizer | null;
  picture: EventPicture;
  share: ShareImage;
  /** ISO 4217. */
  currency: string;
  /** The way on: its pages at the providers, those that sell tickets first. */
  links: ProviderLink[];
  venue: Omit<EventDetail['venue'], 'neighborhood'> & { neighborhood: AreaName | null; website: string | null };
  /** Null where only an area is known. */
  map: RecordMap | null;
  calendars: { google: string; outlook: string };
  isOver: boolean;
  /** Search engines should forget the page. */
  isOld: boolean;
  /** Other nights of the same program at the venue, the soonest first. */
  nights: ComingEvent[];
  atVenue: EventCard[];
  /** On the same night, not far from it. */
  nearby: EventCard[];
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

export interface PublicVenue
  extends Omit<VenueSummary, 'neighborhood'>,
    Pick<VenueFields, 'website' | 'parking' | 'transitNearby'> {
  neighborhood: AreaName | null;
  hours: OpeningHours | null;
  /** Null where only an area is known. */
  map: RecordMap | null;
  /** The soonest first. */
  upcoming: { total: number; events: EventCard[] };
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

/** An event on a card or in a line. */
export interface EventCard
  extends ComingEvent,
    Pick<PublicEvent, 'category' | 'status' | 'isFree' | 'priceMin' | 'priceMax' | 'currency'> {
  venue: { name: string; slug: string };
  /** A file of this service, 4:3. */
  picture: Pick<EventPicture, 'src' | 'srcSet' | 'width' | 'height'>;
}

/** A record that was removed, with what a reader may want in its place. */
export interface RemovedRecord {
  isGone: true;
  kind: 'event' | 'venue';
  teasers: EventCard[];
}
