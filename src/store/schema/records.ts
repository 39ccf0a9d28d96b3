/** The directory: the city, its venues and events, and what changed. */

import type { Generated, JSONColumnType } from 'kysely';
import type { Day, InstantColumn, MaybeInstantColumn, MaybeNumeric, Numeric } from './columns.ts';

interface CityTable {
  only_row: Generated<boolean>;
  slug: string;
  name: string;
  timezone: string;
  currency: string;
  locale: string;
  latitude: number;
  longitude: number;
  /** Of listings, beside that of `locale`. */
  languages: Generated<string[]>;
  /** What the data of its neighborhoods asks for. */
  credit: string | null;
  radius_km: number | null;
}

interface NeighborhoodTable {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  latitude: number;
  longitude: number;
  geometry: JSONColumnType<object>;
  updated_at: InstantColumn;
}

interface VenueTable {
  id: string;
  slug: string;
  name: string;
  type: string;
  address: string | null;
  latitude: number;
  longitude: number;
  capacity_tier: string | null;
  is_verified: boolean;
  neighborhood: string | null;
  website: string | null;
  parking: string | null;
  transit_nearby: Generated<string[]>;
  opening_hours: JSONColumnType<object> | null;
  location_precision: Generated<string>;
  /** Of the name and the slug, for finding by hand; see `indexedWords`. */
  words: Generated<string>;
  state: Generated<string>;
  merged_into: string | null;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

interface EventTable {
  id: string;
  slug: string;
  title: string;
  category: string;
  starts_at: InstantColumn;
  ends_at: MaybeInstantColumn;
  description: string | null;
  image_url: string | null;
  is_free: boolean;
  price_min: MaybeNumeric;
  price_max: MaybeNumeric;
  venue_id: string;
  status: Generated<string>;
  performers: Generated<string[]>;
  tags: Generated<string[]>;
  sources: Generated<string[]>;
  /** `EventLink`s. */
  links: Generated<{ provider: string; url: string }[]>;
  organizer: JSONColumnType<{ name: string; url: string | null }> | null;
  /** Where the event started before it was moved. */
  previous_starts_at: MaybeInstantColumn;
  discovery_score: number;
  /** As of when the score was computed: explaining it replays that moment. */
  scored_at: InstantColumn;
  /** The local day since which score and appeal stand; those before are in `score_history`. */
  scored_day: Day;
  /** What trends follow (see `ScoreBreakdown`); null in what was scored before it was noted. */
  appeal: number | null;
  state: Generated<string>;
  merged_into: string | null;
  precision: Generated<string>;
  /** The title as letters alone; see `runKey`. */
  run: Generated<string>;
  /** Of the title and the slug, for finding by hand; see `indexedWords`. */
  words: Generated<string>;
  /** Which of the coming showings of its run it was when it was scored, from 1. */
  showing: Generated<number>;
  /** What else of the directory its score was computed of; see `encodeContext` of `ranking`. Null before it was. */
  score_context: number[] | null;
  unconfirmed_since: MaybeInstantColumn;
  /** How often the time, the place or the status has changed. */
  revision: Generated<number>;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

interface OldSlugTable {
  kind: 'event' | 'venue';
  slug: string;
  event_id: string | null;
  venue_id: string | null;
}

interface SignalTable {
  event_id: string;
  kind: string;
  observed_at: InstantColumn;
  value: number;
}

interface ScoreHistoryTable {
  event_id: string;
  day: Day;
  discovery_score: number;
  /** Null in what was noted before it was. */
  appeal: number | null;
}

interface ChangeTable {
  seq: Numeric;
  at: InstantColumn;
  kind: string;
  entity: string;
  entity_id: string | null;
  /** Previous values of the public fields that changed, by field. */
  previous: JSONColumnType<object> | null;
}

/** One row. */
interface ChangeLogTable {
  only_row: Generated<boolean>;
  epoch: string;
  timeline: string | null;
  public_url: string | null;
}

/** All tables that `records` owns. */
export interface RecordsTables {
  city: CityTable;
  neighborhood: NeighborhoodTable;
  venue: VenueTable;
  event: EventTable;
  old_slug: OldSlugTable;
  signal: SignalTable;
  score_history: ScoreHistoryTable;
  change: ChangeTable;
  change_log: ChangeLogTable;
}
