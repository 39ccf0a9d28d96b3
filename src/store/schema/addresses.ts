/** The addresses of the city: what was imported, its streets, the names of its houses, and what a geocoder answered. */

import type { Generated, GeneratedAlways } from 'kysely';
import type { InstantColumn } from './columns.ts';

interface AddressFileTable {
  id: string;
  name: string;
  format: string;
  credit: string;
  digest: string;
  houses: number;
  streets: number;
  names: Generated<number>;
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

interface AddressNameTable {
  id: GeneratedAlways<string>;
  file_id: string;
  name: string;
  name_key: string;
  words: string[];
  address: string | null;
  latitude: number;
  longitude: number;
  is_exact: boolean;
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
  address_name: AddressNameTable;
  geocoder_answer: GeocoderAnswerTable;
  geocoder_turn: GeocoderTurnTable;
}
