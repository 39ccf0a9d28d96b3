/** What changed for callers of the API and of what is beside it, as the page and the feed of changes tell it. The latest first. */

export interface ApiChange {
  /** The day, UTC: `YYYY-MM-DD`. */
  date: string;
  kind: ApiChangeKind;
  /** No other change has it: links lead to it. */
  title: string;
  /** `code` in backticks, as in descriptions of the reference. */
  text: string;
}

export type ApiChangeKind = 'added' | 'changed' | 'deprecated' | 'removed';

export const API_CHANGES: readonly ApiChange[] = [
  {
    date: '2026-11-27',
    kind: 'added',
    title: 'Exports that wait for their storage',
    text: 'Exports have `waitingFor` and `retryAt`. If the file storage does not answer, they stay `queued` and are tried again for 24 hours.',
  },
  {
    date: '2026-11-27',
    kind: 'added',
    title: 'Weekdays as named times',
    text: "`when` takes `monday` to `sunday`: the next such day on the city's clock, until 05:00 after it. So do the tools of the MCP server.",
  },
  {
    date: '2026-11-25',
    kind: 'added',
    title: 'Notice of deprecations',
    text: 'Responses that use something deprecated carry `Deprecation` and `Sunset`. The OpenAPI document says `deprecated`. Nothing is deprecated now.',
  },
  {
    date: '2026-11-25',
    kind: 'added',
    title: 'MCP App',
    text: 'Assistants that show pages show the answers of `search_events` as a list and a map.',
  },
  {
    date: '2026-11-24',
    kind: 'added',
    title: 'Test keys',
    text: 'Keys that start with `mq_test_` are free and read an invented city. `X-Marquee-Simulate` simulates errors with them.',
  },
  {
    date: '2026-11-24',
    kind: 'added',
    title: 'Free text and suggestions',
    text: '`ask` of `GET /events` reads free text as people type it, and `meta.interpretation` says what was understood. `GET /suggest` returns names while somebody types. `sort=relevance` orders the answers to `q` and `ask`.',
  },
  {
    date: '2026-11-24',
    kind: 'added',
    title: 'MCP server and MCP Events',
    text: 'Assistants call six tools at `/mcp`, with or without a key. They poll or stream what changes, or get it by webhook with an Enterprise key.',
  },
  {
    date: '2026-11-24',
    kind: 'added',
    title: 'Precision of times and places',
    text: '`include=startPrecision` says whether the start time of an event is known. `include=locationPrecision` says whether a point is exact.',
  },
  {
    date: '2026-11-24',
    kind: 'changed',
    title: 'Signals of the score',
    text: '`include=score` has the signals `venue`, `fame`, `category`, `best_of_day`, `rarity`, `hours` and `pick`. `sources` is no signal any more, and `appeal` replaces it in `trendSignals`.',
  },
  {
    date: '2026-11-23',
    kind: 'added',
    title: 'Webhooks, feeds, exports and the change log',
    text: 'Enterprise keys read `GET /changes`, `GET /feeds` and `GET /exports`. Webhooks send changes to your endpoints, signed as Standard Webhooks.',
  },
  {
    date: '2026-11-23',
    kind: 'added',
    title: 'Lists in other formats',
    text: 'Lists are also calendars, news feeds, maps, tables, NDJSON and JSON-LD, by extension or by `Accept`.',
  },
  {
    date: '2026-11-23',
    kind: 'added',
    title: 'Four filters of events',
    text: '`GET /events` takes `when`, `price_max`, `tags` and `updated_since`.',
  },
  {
    date: '2026-11-21',
    kind: 'added',
    title: 'Version 1',
    text: 'Events, venues, neighborhoods, trending and usage at `/api/v1`, with keys, limits and problem documents.',
  },
];

/** Names a change on the page: `2026-11-24-test-keys`. */
export const apiChangeAnchor = ({ date, title }: Pick<ApiChange, 'date' | 'title'>): string =>
  `${date}-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
