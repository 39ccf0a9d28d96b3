/** What the page for developers shows of the city. */

import type { AnswerTimes } from '../../api/index.ts';
import type { StartPrecision } from '../../records/index.ts';

export interface DeveloperFacts {
  board: {
    /** Below the public address, as it would be asked for. */
    target: string;
    /** The answer to it, byte for byte what a key would get. */
    answer: string;
  };
  /** An event that several sources announced; null where the city has none. */
  joined: Joined | null;
  stats: {
    /** Events to come. */
    upcoming: number;
    venues: number;
    neighborhoods: number;
    /** Null while the database that counts them is away. */
    sources: number | null;
    /** Milliseconds; null before the first change, undefined while the database is away. */
    changedAt: number | null | undefined;
    /** Milliseconds since 1970, real time: what `changedAt` is compared with. */
    at: number;
    times: AnswerTimes;
  };
}

export interface Joined {
  title: string;
  slug: string;
  venue: string;
  startDatetime: string;
  startPrecision: StartPrecision;
  sources: {
    name: string;
    /** As it wrote it; null where its own words are not at hand, as of an imported bundle. */
    title: string | null;
  }[];
}
