/** The shape of `meta.interpretation`: how a free text was understood. */

import { type TProperties, Type } from 'typebox';
import { ASK_KINDS, SUGGESTION_TYPES } from '../search/index.ts';

const closed = (properties: TProperties, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
const place = Type.Integer({ minimum: 0, maximum: 200 });
const count = Type.Integer({ minimum: 0 });

export const interpretationSchema = closed(
  {
    parts: Type.Array(
      closed({
        kind: Type.Enum([...ASK_KINDS]),
        text: Type.String({ description: 'As it was typed.' }),
        from: place,
        to: place,
        means: Type.String({ description: 'What it was understood as.' }),
        parameters: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
          description: 'The parameters that ask for the same. Null: none do.',
        }),
        without: Type.String({ description: 'The text without this part.' }),
        overriddenBy: Type.Union([Type.String(), Type.Null()], {
          description: 'The parameter of the request that counts in its place.',
        }),
      }),
      { description: 'In the order of the text. `from` and `to` count code points; `to` is the first one behind the part.' },
    ),
    complete: Type.Integer({ minimum: 0, description: 'How many answers hold every word; the others follow them.' }),
    relaxations: Type.Array(closed({ without: Type.String(), ask: Type.String(), total: count }), {
      description: 'If nothing was found: what would be found without a part, the nearest first.',
      maxItems: 5,
    }),
  },
  { description: 'Only with `ask=`.' },
);

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const suggestionListSchema = closed({
  data: Type.Array(
    closed({
      type: Type.Enum([...SUGGESTION_TYPES]),
      text: Type.String({ description: 'The name.' }),
      id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description: 'Null for performers.' }),
      slug: nullableText,
      context: Type.Union([Type.String(), Type.Null()], {
        description: 'The venue of an event, the neighborhood of a venue, the event of a performer.',
      }),
    }),
    { maxItems: 10 },
  ),
  meta: closed({ total: count }),
});
