/** What a form of a list is made of. */

import type { EventDetail, EventStatus, Organizer, StartPrecision, VenueSummary } from '../../records/index.ts';

export interface ServedEvent {
  /** The record as `GET /events` serves it: JSON. */
  json: string;
  event: EventDetail;
  status: EventStatus;
  startPrecision: StartPrecision;
  /** When the record last changed, milliseconds. */
  updatedAt: number;
  /** How often its time, place or status has changed. */
  revision: number;
  /** Only the area of its venue is known: the venue's point stands for it, and no map shows it. */
  isInArea?: boolean;
  /** Read when it is asked for: few forms show it. */
  organizer(): Organizer | null;
}

export interface ServedVenue {
  /** The record as `GET /venues` serves it: JSON. */
  json: string;
  venue: VenueSummary;
  /** Only its area is known: its point stands for it, and no map shows it. */
  isInArea?: boolean;
}

/** What is known of a list as a whole. Nothing here depends on when it is asked for. */
export interface ListFacts {
  title: string;
  /** One sentence. Forms that can hold a description add how many records they hold at most. */
  description: string;
  /** This document, with its query. */
  selfUrl: string;
  /** The page for people. */
  homeUrl: string;
  /** BCP 47. */
  language: string;
  /** IANA name. */
  timezone: string;
  /** ISO 4217. */
  currency: string;
  /** When the newest of the records changed, milliseconds; 0 without records. */
  updatedAt: number;
  /** All records that match. */
  total: number;
  /** How many records the document may hold. `writeForm` leaves out those beyond. */
  maxRecords: number;
  /** Other pages of the list. */
  pages?: Partial<Record<'first' | 'prev' | 'next' | 'last', string>>;
  /** The `meta` of the JSON list: JSON. */
  meta?: string;
}

/**
 * A document is `open`, the records with `separator` between them, and `close`; so a long list can be written piece by piece.
 * Every function is pure: the same list and records give the same bytes.
 */
export interface Form<R> {
  /** Without a leading dot. */
  extension: string;
  /** Without parameters, in lower case. */
  mediaType: string;
  /** The `Content-Type` header. */
  contentType: string;
  open(list: ListFacts): string;
  record(record: R, list: ListFacts, position: number): string;
  separator: string;
  close(list: ListFacts): string;
}

/** How often a program that follows a list should ask. */
export const REFRESH_MINUTES = 60;
/** The most events of a calendar that programs subscribe to. */
export const MAX_CALENDAR_EVENTS = 2_000;
