/** The addresses of the city: what was imported, its streets, and what a geocoder answered. */

import type { GeneratedAlways } from 'kysely';
import type { InstantColumn } from './columns.ts';

interface AddressFileTable {
  id: string;
  name: string;
  format: string;
  credit: string;
  digest: string;
  houses: number;
  streets: number;
  imported_at: InstantColumn;
}

interface AddressStreetTable {
  id: GeneratedAlways<string>;
  file_id: string;
  street: string;
  town: string;
  postcode: string;
  /** See `packed-street.ts` of `addresses`. */
  houses: Buffer;
  lines: Buffer;
}

interface GeocoderAnswerTable {
  service: string;
  question: string;
  latitude: number | null;
  longitude: number | null;
  precision: string | null;
  expires_at: InstantColumn;
}

interface GeocoderTurnTable {
  service: string;
  next_at: InstantColumn;
  blocked_until: InstantColumn;
  failures: number;
}

/** All tables that `addresses` owns. */
export interface AddressesTables {
  address_file: AddressFileTable;
  address_street: AddressStreetTable;
  geocoder_answer: GeocoderAnswerTable;
  geocoder_turn: GeocoderTurnTable;
}
