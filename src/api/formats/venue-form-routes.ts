/** `GET /venues.<extension>`: the list of venues in other forms than the contract's JSON. */

import {
  BYTE_ORDER_MARK,
  type Form,
  readVenueRecords,
  type ServedVenue,
  VENUE_FORMS,
  type VenueFormName,
  writeForm,
} from '../../feeds/index.ts';
import { buildVenueQuery, lacksNear, venueListParameters } from '../../query/index.ts';
import { API_PREFIX } from '../prefix.ts';
import { type AnyRoute, type Ask, defineRoute, type RouteOutcome } from '../route.ts';
import { FORM_KINDS, tableParameters } from './form-kinds.ts';
import { formTag, listFacts } from './list-facts.ts';

type FormAsk = Ask<typeof venueListParameters & Partial<typeof tableParameters>>;

export const venueFormRoutes: readonly AnyRoute[] = (Object.keys(VENUE_FORMS) as VenueFormName[]).map((name) => {
  const form: Form<ServedVenue> = VENUE_FORMS[name];
  const { id, label, schema } = FORM_KINDS[name];
  const { mediaType, contentType } = form;
  const path = `/venues.${name}`;
  return defineRoute({
    path,
    operationId: `listVenuesAs${id}`,
    tier: 'starter',
    metered: true,
    summary: `Venues as ${label}`,
    description: `The list of \`/venues\` as \`${mediaType}\`: same filters, same order, same limits.`,
    parameters: { ...venueListParameters, ...(name === 'csv' && tableParameters) },
    conflicts: lacksNear,
    answers: [],
    form: { of: '/venues', mediaType, contentType, schema },
    answer: (ask: FormAsk) => answer(form, path, ask),
  });
});

function answer(form: Form<ServedVenue>, path: string, ask: FormAsk): RouteOutcome {
  const { snapshot, now, values, publicUrl } = ask;
  const { limit, offset } = values;
  const { total, items, interpretations, tag } = snapshot.venues(buildVenueQuery(values), now);
  const address = publicUrl + API_PREFIX + path;
  const facts = listFacts(ask, { address, noun: 'venues', total, limit, offset, returned: items.length, updatedAt: 0 });
  return {
    kind: 'data',
    tag: formTag(tag, facts, snapshot),
    page: { total, limit, offset },
    interpretations,
    body() {
      const document = writeForm(form, facts, readVenueRecords(snapshot, items, now));
      return values.bom ? Buffer.concat([Buffer.from(BYTE_ORDER_MARK), document]) : document;
    },
  };
}
