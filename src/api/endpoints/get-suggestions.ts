/** `GET /suggest`: names while somebody types. */

import { searchText } from '../../query/index.ts';
import { type Ask, defineRoute, type RouteOutcome } from '../route.ts';

const parameters = {
  ask: searchText('The text so far; the last word may be half typed. Without it there are no suggestions.'),
};

export const getSuggestions = defineRoute<typeof parameters>({
  path: '/suggest',
  operationId: 'getSuggestions',
  tier: 'starter',
  metered: true,
  summary: 'Suggestions while somebody types',
  description:
    'At most ten names of events, venues, neighborhoods and performers with words that begin so. Names that begin with the text come first.',
  parameters,
  answers: ['SuggestionList'],
  answer,
});

function answer({ snapshot, now, values }: Ask<typeof parameters>): RouteOutcome {
  const suggestions = values.ask === undefined ? [] : snapshot.suggest(values.ask, now);
  return {
    kind: 'data',
    tag: null,
    body: () => Buffer.from(JSON.stringify({ data: suggestions, meta: { total: suggestions.length } })),
  };
}
