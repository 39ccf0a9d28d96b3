/** From the directory's records to the facts a score is computed of. */

import type { Event, Signal } from '../catalog/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { ScoreFacts } from './model.ts';
import type { ScoreContext } from './score-context.ts';

type ScoredEvent = Pick<
  Event,
  | 'description'
  | 'imageUrl'
  | 'endsAt'
  | 'priceMin'
  | 'priceMax'
  | 'isFree'
  | 'performers'
  | 'startsAt'
  | 'precision'
  | 'category'
  | 'status'
>;

/** The number of providers is no fact of a score: being listed by more of them makes an event no better. */
export function scoreFacts(event: ScoredEvent, context: ScoreContext, signals: readonly Signal[]): ScoreFacts {
  return {
    hasDescription: event.description !== null,
    hasImage: event.imageUrl !== null && context.picture !== 'placeholder',
    hasEnd: event.endsAt !== null,
    hasPrice: event.isFree || event.priceMin !== null || event.priceMax !== null,
    performers: event.performers.length,
    category: event.category,
    isFree: event.isFree,
    isSoldOut: event.status === 'sold_out',
    startsAt: event.startsAt,
    latestStart: event.precision === 'time' ? event.startsAt : event.startsAt + DAY_MS - 1,
    context,
    signals,
  };
}
