/**
 * What is known of the targets that were requested lately: what they mean, and the answer that was given without its body. Callers ask the
 * same again and again, and most answers stay right until an event starts or the directory changes.
 */

import { type Encoding, type SerializedHeaders, splitTarget } from '../../http/index.ts';
import type { Snapshot } from '../../search/index.ts';
import { matchRoute, type RouteMatch } from '../route-table.ts';

export interface RequestTarget {
  /** As sent. */
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly match: RouteMatch | null;
  /** Null until there is one. */
  readonly held: Held | null;
}

interface Held {
  answer: HeldAnswer;
  since: number;
  until: number;
  /** Of the snapshot that gave it; the snapshot itself is large and must be let go. */
  edition: number;
}

export interface HeldAnswer {
  etag: string;
  /** Names its body in the cache of bodies. */
  bodyKey: string;
  /** The headers of a 304, of a 200 whose body is sent plain, and of one that is compressed, as they are needed. */
  unchanged: SerializedHeaders;
  plain: SerializedHeaders;
  encoded?: Partial<Record<Encoding, SerializedHeaders>>;
}

export interface RequestTargets {
  of(target: string): RequestTarget;
  /** The answer held for the target, if the directory is the same and it is right at `now` (directory time, ms). */
  answerAt(target: RequestTarget, snapshot: Snapshot, now: number): HeldAnswer | undefined;
  /** `since`: when the answer was given; `until`: before when it is right. */
  hold(target: RequestTarget, snapshot: Snapshot, answer: HeldAnswer, since: number, until: number): void;
}

export function createRequestTargets(): RequestTargets {
  let known = new Map<string, RequestTarget>();
  let newest = Number.NaN;

  return {
    of: (target) => known.get(target) ?? readTarget(target),
    answerAt({ held }, { edition }, now) {
      // A clock that was set back knows nothing of what was right then.
      return held && held.edition === edition && now >= held.since && now < held.until ? held.answer : undefined;
    },
    hold(target, { edition }, answer, since, until) {
      if (target.target.length > MAX_TARGET_CHARS) return;
      if (edition !== newest || known.size >= MAX_KNOWN) known = new Map();
      newest = edition;
      known.set(target.target, { ...target, held: { answer, since, until, edition } });
    },
  };
}

function readTarget(target: string): RequestTarget {
  const { path, query } = splitTarget(target);
  return { target, path, query, match: matchRoute(path), held: null };
}

const MAX_KNOWN = 1_000;
/** Characters; longer addresses are seldom asked twice. */
const MAX_TARGET_CHARS = 300;
