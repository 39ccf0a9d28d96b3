/** The input of finding sources, and its answer. */

import type { Outbound } from '../outbound/index.ts';
import type { Reader } from '../providers/index.ts';

export interface FindingContext {
  /** Opened with `FINDING_LIMITS`. */
  outbound: Pick<Outbound, 'fetch' | 'checkAddress'>;
  /** Reads pages and answers, each in a process that may be killed. */
  reader: Pick<Reader, 'read' | 'readPage'>;
  /** When hosts were asked last. Share one among all addresses that are looked at together. */
  pace: Pace;
  city: CityOfSources;
  /** The directory's clock, in milliseconds since 1970 UTC. */
  now: () => number;
  /** Default: 40. */
  maxRequests?: number;
  /** Told before each request; for a line on a terminal. */
  onRequest?: (url: string) => void;
}

export interface CityOfSources {
  name: string;
  /** IANA zone of dates without one. */
  zone: string;
  /** BCP 47. */
  locale: string;
}

/** One request a second and host, or fewer. */
export interface Pace {
  /** The host asks for so many milliseconds between two requests: of more than 10 s, 10 s count. */
  slowDown(host: string, gapMs: number): void;
  /** Resolves when the host may be asked; false if that would be too late. */
  take(host: string, most: number): Promise<boolean>;
  /** The host has answered, and asks to be left alone for so many milliseconds. */
  answered(host: string, retryAfterMs?: number): void;
  /** Milliseconds on the clock that waits are measured with. */
  elapsed(): number;
}

export interface FoundSources {
  /** Best first; ways into one calendar are joined. */
  candidates: SourceCandidate[];
  /** Why nothing, or not everything, was found: one sentence each, the most important first. */
  notes: string[];
  /** False: it is no web address, or its host gave no answer. */
  isReached: boolean;
  /** Sent for this address, robots.txt and redirects included. */
  requests: number;
}

/** A source that may be added as it stands: `marquee source add KIND LOCATION`. */
export interface SourceCandidate {
  kind: string;
  location: string;
  platform: string;
  title: string;
  /** Upcoming ones, each date counted. */
  events: number;
  /** The next five. */
  sample: SampleEvent[];
  warnings: string[];
  /** False for one that nobody should accept without a look: internal, empty, or doubtful. */
  preferred: boolean;
}

export interface SampleEvent {
  title: string;
  /** `YYYY-MM-DDThh:mm:ss±hh:mm`, or `YYYY-MM-DD`. */
  start: string;
  venue: string | null;
  address: string | null;
}
