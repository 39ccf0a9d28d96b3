// The query language: parameters, the filters of events and venues, saved queries, cursors, and the form of a change.
// Text of a query string enters; checked values, choices of events and pages of the read model leave.
// The room knows no route and no caller. `api`, `web`, `mcp`, `webhooks` and `feeds` read queries by it.

export { type Cursor, cursorParameter, formatCursor, parseCursor } from './cursor.ts';
export { chooseEvents, datesOf, type EventChoice, readEventChoice } from './event-choice.ts';
export {
  askConflicts,
  type EventListValues,
  eventFilters,
  eventListConflicts,
  eventListParameters,
  eventSearchParameters,
  filterConflicts,
  findEvents,
  lacksNear,
  parseEventQuery,
  readEventAsk,
} from './event-query.ts';
export { changedFields, formatChange, formatLeft, formatPrevious } from './format-change.ts';
export {
  absentValues,
  decodeFormText,
  nearestName,
  type Parameter,
  type ParameterConflict,
  type ParameterTable,
  parseQuery,
  problemsOf,
  type ReadQuery,
  readParameters,
  type Values,
} from './parameter.ts';
export { anyOf, flag, oneOf, pageLimit, pageOffset, readUuid, searchText, uuid, wholeNumber } from './parameter-kinds.ts';
export {
  buildVenueQuery,
  EVENT_SEARCH_NAMES,
  type RecordSearch,
  type SearchPlace,
  searchEvents,
  searchVenues,
  VENUE_SEARCH_NAMES,
  venueListParameters,
} from './record-search.ts';
export { type CheckedQuery, readSavedQuery, readSavedValues, SAVED_PARAMETERS } from './saved-query.ts';
