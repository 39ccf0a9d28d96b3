/** What the page of the queue shows: a candidate, its place in the queue, and what was answered before. */

import type { RouterContextProvider } from 'react-router';
import { type DecidedPair, readAnswerTo, readLastAnswer, readQueue } from '../../../../ingest/index.ts';
import { createCityTime } from '../../../../values/city-time.ts';
import { readBorders } from '../../maps/neighborhoods.ts';
import { rooms as roomsContext } from '../../rooms.ts';
import type { MomentFormat } from '../moments.ts';
import { momentsOf } from '../oversight/view-run.ts';
import { viewCandidate } from './view-candidate.ts';

export async function readReview(
  context: Readonly<RouterContextProvider>,
  { by, at, settled }: { by: string; at: string | null; settled: string | null },
) {
  const rooms = context.get(roomsContext);
  const { store, search } = rooms;
  const moments = momentsOf(rooms);
  const [queue, last, meanwhile, neighborhoods] = await Promise.all([
    readQueue({ store, at }),
    readLastAnswer({ store, by }),
    settled ? readAnswerTo({ store, candidate: settled }) : null,
    readBorders(store),
  ]);
  const time = createCityTime(search.current().city.timezone);
  return {
    place: queue.position
      ? `${queue.position} of ${queue.total}${queue.isMore ? ' or more' : ''}`
      : `one of those after the first ${queue.total}`,
    nextId: queue.nextId,
    candidate: queue.candidate && viewCandidate(queue.candidate, { moments, time, neighborhoods }),
    last: last && viewAnswer(last, moments),
    /** Somebody was quicker. */
    meanwhile: settled ? { answer: meanwhile && viewAnswer(meanwhile, moments), isOwn: meanwhile?.by === by } : null,
  };
}

function viewAnswer({ id, verdict, by, at, left, right }: DecidedPair, moments: MomentFormat) {
  return { id, verdict, by, at: moments.format(at), left: left.title, right: right.title };
}
