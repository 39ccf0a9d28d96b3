/** What a tool is: a row of the table, what it is given, and what it answers. */

import type { TierName } from '../../accounts/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import type { JsonObject } from '../protocol/message.ts';
import type { ArgumentReading } from './readings.ts';

/** The part of JSON Schema 2020-12 that arguments are described with. */
export interface ArgumentSchema {
  type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  description?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  default?: string | number;
  items?: ArgumentSchema;
  properties?: Readonly<Record<string, ArgumentSchema>>;
  required?: readonly string[];
}

export interface ToolInput {
  type: 'object';
  properties: Readonly<Record<string, ArgumentSchema>>;
}

export interface ToolPlace {
  snapshot: Snapshot;
  city: CityTime;
  /** Directory time, milliseconds. */
  now: number;
  /** Without a trailing slash. */
  publicUrl: string;
  /** When the directory changed last, milliseconds; null before it is known. */
  changedAt: number | null;
  /** Whether the caller's plan opens what needs this tier. */
  opens(tier: TierName): boolean;
}

/** Once for all answers that hold the record. */
export interface PrintedRecord {
  /** For reading. */
  line: string;
  /** For programs: JSON of its facts. */
  json: string;
}

export interface ToolAnswer {
  text: string;
  structured: JsonObject;
  /** One more member of `structured`: a list of records that are printed already. */
  list?: { name: string; records: readonly PrintedRecord[] };
  /** What can be read beside it: `resource_link`s. */
  links?: readonly JsonObject[];
  /** Until when the same snapshot gives the same answer; undefined where nobody knows. */
  until?: number | undefined;
}

/** What the model can do better. */
export interface ToolMistake {
  mistakes: readonly string[];
}

export interface McpTool {
  name: string;
  title: string;
  description: string;
  /** The lowest tier that may call it; null: everybody. */
  tier: TierName | null;
  /** How many calls it counts as, without a key. */
  cost: number;
  input: ToolInput;
  output: JsonObject;
  /** The page that shows its answers, where a client can. */
  app?: string;
  /** `values`: read by the schema; `readings`: what was read differently than it came. */
  run(values: JsonObject, readings: readonly ArgumentReading[], place: ToolPlace): ToolAnswer | ToolMistake;
}

export const mistake = (...mistakes: readonly string[]): ToolMistake => ({ mistakes });
