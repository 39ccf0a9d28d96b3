/** `GET /events.<extension>`: the list of events in other forms than the contract's JSON. */

import {
  BYTE_ORDER_MARK,
  EVENT_FORMS,
  type EventFormName,
  type Form,
  readEventRecords,
  type ServedEvent,
  writeForm,
} from '../../feeds/index.ts';
import { eventListConflicts, eventListParameters, findEvents, type ParameterTable } from '../../query/index.ts';
import { isShaped, type Shape, writeShapedEvents } from '../endpoints/shaped-events.ts';
import { API_PREFIX } from '../prefix.ts';
import { type AnyRoute, type Ask, defineRoute, type RouteOutcome } from '../route.ts';
import { FORM_KINDS, recordParameters, tableParameters } from './form-kinds.ts';
import { formTag, listFacts } from './list-facts.ts';

const EXTRA_PARAMETERS: Readonly<Partial<Record<EventFormName, ParameterTable>>> = {
  geojson: recordParameters,
  ndjson: recordParameters,
  csv: tableParameters,
};
type FormAsk = Ask<typeof eventListParameters & Partial<typeof recordParameters & typeof tableParameters>>;

export const eventFormRoutes: readonly AnyRoute[] = (Object.keys(EVENT_FORMS) as EventFormName[]).map((name) => {
  const form: Form<ServedEvent> = EVENT_FORMS[name];
  const { id, label, schema } = FORM_KINDS[name];
  const { mediaType, contentType } = form;
  const path = `/events.${name}`;
  return defineRoute({
    path,
    operationId: `listEventsAs${id}`,
    tier: 'starter',
    metered: true,
    summary: `Events as ${label}`,
    description: `The list of \`/events\` as \`${mediaType}\`: same filters, same order, same limits.`,
    parameters: { ...eventListParameters, ...EXTRA_PARAMETERS[name] },
    conflicts: eventListConflicts,
    answers: [],
    form: { of: '/events', mediaType, contentType, schema },
    answer: (ask: FormAsk) => answer(form, path, ask),
  });
});

function answer(form: Form<ServedEvent>, path: string, ask: FormAsk): RouteOutcome {
  const { snapshot, now, values, publicUrl } = ask;
  const { limit, offset } = values;
  const { page, until } = findEvents(snapshot, values, now);
  const { total, items, interpretations } = page;
  const shape: Shape = { include: values.include, fields: values.fields };
  const facts = listFacts(ask, {
    address: publicUrl + API_PREFIX + path,
    noun: 'events',
    total,
    limit,
    offset,
    returned: items.length,
    updatedAt: Math.max(0, ...items.map((item) => snapshot.lifecycle(item).updatedAt)),
  });
  return {
    kind: 'data',
    // What `include` adds may change without a trace in the tag.
    tag: isShaped(shape) ? null : formTag(page.tag, facts, snapshot, items),
    ...(until !== undefined && { until }),
    page: { total, limit, offset },
    interpretations,
    body() {
      const records = readEventRecords(snapshot, items);
      const shaped = isShaped(shape)
        ? records.map((record, i) => ({
            ...record,
            json: writeShapedEvents(snapshot, items.slice(i, i + 1), 'list', shape, '', '').toString(),
          }))
        : records;
      const document = writeForm(form, facts, shaped);
      return values.bom ? Buffer.concat([Buffer.from(BYTE_ORDER_MARK), document]) : document;
    },
  };
}
