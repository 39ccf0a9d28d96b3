/** Every refusal the service can answer with: one table, one body (RFC 9457). `docs/errors.md` is checked against the table both ways. */

interface ProblemKind {
  status: number;
  title: string;
  /** What happened, for the docs page. */
  meaning: string;
  /** What the caller can do about it. */
  remedy: string;
  /** Only pages and other addresses outside the API answer so. */
  isOutsideApi?: true;
}

export const PROBLEMS = {
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    meaning: 'A query parameter or an id in the path is invalid. `errors` lists all invalid parameters.',
    remedy: 'Correct the parameters in `errors`.',
  },
  bad_request: {
    status: 400,
    title: 'Bad request',
    meaning: 'The request is not valid HTTP: broken framing, no or two `Host` headers, or a URL that cannot be decoded.',
    remedy: 'Use an HTTP library; do not write requests by hand.',
  },
  missing_api_key: {
    status: 401,
    title: 'API key missing',
    meaning: 'The request has no `X-API-Key` header. Keys in the query, a cookie or `Authorization` are ignored.',
    remedy: 'Send the key once, in the `X-API-Key` header.',
  },
  invalid_api_key: {
    status: 401,
    title: 'API key invalid',
    meaning: 'The key is malformed or unknown, or the request has more than one key.',
    remedy: 'Check that you copied the whole key.',
  },
  revoked_api_key: {
    status: 401,
    title: 'API key revoked',
    meaning: 'The key was valid and has been revoked.',
    remedy: 'Create a new key.',
  },
  expired_api_key: {
    status: 401,
    title: 'API key expired',
    meaning: 'A newer key replaced this key, and the grace period is over.',
    remedy: 'Use the newer key.',
  },
  trial_expired: {
    status: 402,
    title: 'Trial ended',
    meaning: 'The key is valid, but the free trial of its account is over.',
    remedy: 'Choose a tier at `upgradeUrl`.',
  },
  subscription_inactive: {
    status: 402,
    title: 'Subscription inactive',
    meaning: 'The key is valid, but its subscription is not active.',
    remedy: 'Renew the subscription at `upgradeUrl`.',
  },
  tier_required: {
    status: 403,
    title: 'Higher tier required',
    meaning: 'The tier of the key (`currentTier`) does not include this endpoint. `requiredTier` does.',
    remedy: 'Upgrade at `upgradeUrl`.',
  },
  cross_site_request: {
    status: 403,
    title: 'Request from another site',
    meaning: 'The request came from another site and was rejected. Only the pages of this service may change something.',
    remedy: 'Open the page on this site and send its form.',
    isOutsideApi: true,
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'No record has this id.',
    remedy: 'Find the record in a list.',
  },
  unknown_route: {
    status: 404,
    title: 'Path not found',
    meaning: 'The service has no such path. Paths are exact: no trailing slash, no uppercase letters.',
    remedy: 'Compare the path with the reference.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The API is read-only. `Allow` lists the methods of the path.',
    remedy: 'Use `GET` or `HEAD`.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    meaning: 'The `Accept` header allows neither `application/json` nor another format of the list.',
    remedy: 'Send `Accept: application/json`, or no `Accept` header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    meaning:
      'The headers took longer than 15 seconds, or the whole request took longer than 30 seconds. The connection is closed.',
    remedy: 'Send the request again on a new connection.',
  },
  gone: {
    status: 410,
    title: 'Gone',
    meaning: 'The record existed. Its source or the operator removed it.',
    remedy: 'Stop requesting this id.',
  },
  resync: {
    status: 410,
    title: 'Start over',
    meaning:
      'The cursor belongs to another history of the change log. The directory was restored, moved to another URL or replaced.',
    remedy:
      'Delete your copy. Fill it from `fullExport` if there is one. Otherwise read the log from the beginning, without `after`.',
  },
  payload_too_large: {
    status: 413,
    title: 'Body too large',
    meaning: 'A read request needs no body. A small body is ignored, but this body is too large.',
    remedy: 'Send no body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The URL does not accept a body with this `Content-Type`.',
    remedy: 'Send the `Content-Type` that the documentation of the URL names.',
    isOutsideApi: true,
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The `Range` header asks for bytes that the file does not have.',
    remedy: 'Request a range within the file, or the whole file.',
    isOutsideApi: true,
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The service does not support the `Expect` header.',
    remedy: 'Send no `Expect` header.',
  },
  misdirected_request: {
    status: 421,
    title: 'Misdirected request',
    meaning: 'A page was requested under a host name that is not the name of this service. The API works under every name.',
    remedy: 'Use the public URL. The operator sets it as `MARQUEE_PUBLIC_URL`.',
    isOutsideApi: true,
  },
  rate_limit_minute: {
    status: 429,
    title: 'Too many requests this minute',
    meaning: 'The requests of the last 60 seconds reached the limit of the tier, or too many unknown keys came from one address.',
    remedy: 'Wait `Retry-After` seconds, then continue with exponential backoff.',
  },
  rate_limit_day: {
    status: 429,
    title: 'Daily limit reached',
    meaning: 'The requests of the day (UTC) reached the limit of the tier.',
    remedy: 'Wait `Retry-After` seconds (until midnight UTC), or upgrade.',
  },
  page_limit: {
    status: 429,
    title: 'Too many pages',
    meaning: 'One network requested more pages, images or documents than a person reads. The API has its own limits.',
    remedy: 'Wait `Retry-After` seconds.',
    isOutsideApi: true,
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The URL and the headers together are larger than 16 KiB, or there are more than 100 headers.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'Something failed in the service. The request is refunded.',
    remedy: 'Try again. If the error stays, report the request id in `instance`.',
  },
  overloaded: {
    status: 503,
    title: 'Overloaded',
    meaning: 'The service has more requests in progress than it can handle.',
    remedy: 'Wait `retryAfterSeconds`, then try again with backoff.',
  },
  dependency_unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    meaning: 'A component that the response needs cannot be reached. The request is refunded.',
    remedy: 'Wait `retryAfterSeconds`, then try again with backoff.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];
/** What the API itself can answer. */
export const API_PROBLEM_CODES = PROBLEM_CODES.filter((code) => !('isOutsideApi' in PROBLEMS[code]));

/** What can be wrong with one parameter: `errors[].code` of `invalid_parameter`. */
export const PARAMETER_FAULTS = {
  not_an_integer: 'not a whole number in ASCII digits',
  not_a_number: 'not a decimal number',
  out_of_range: 'a number outside its range',
  not_a_boolean: 'neither true, 1, false nor 0',
  unknown_value: 'not one of the allowed values; `detail` lists them',
  not_a_uuid: 'not a UUID',
  not_a_date: 'not a date or date-time in a documented format',
  impossible_date: 'a day or time that does not exist',
  before_start: 'the end of the range is before its start',
  not_a_cursor: 'not a cursor of the change log',
  not_coordinates: 'not decimal degrees, or too few or too many numbers',
  needs_near: 'requires `near`',
  needs_test_key: 'works only with a test key',
  needs_text: 'requires `q` or `ask`',
  conflicting: 'cannot be combined with another parameter that was sent; `detail` names it',
  too_long: 'more than 200 characters',
  control_character: 'U+0000–001F or U+007F',
  not_decodable: 'an invalid percent escape, or bytes that are not UTF-8',
  repeated: 'sent more than once',
  not_repeatable: 'given with brackets',
  unknown_parameter: 'not a known parameter (strict handling only)',
} as const;
export type ParameterFault = keyof typeof PARAMETER_FAULTS;

/** One bad parameter. `value` is what was sent, made safe by `showValue`. */
export interface ParameterProblem {
  in: 'query' | 'path' | 'header';
  name: string;
  value: string;
  code: ParameterFault;
  detail: string;
}

/** A refusal over HTTP: what became of a request, and how it leaves (`refusals.ts`). */
export interface Problem<Code extends string = ProblemCode> {
  code: Code;
  /** One sentence in lower case. */
  detail: string;
  errors?: readonly ParameterProblem[];
  /** Further members: `upgradeUrl`, `currentTier`, `requiredTier`, `retryAfterSeconds`, `head`, `fullExport`. */
  members?: Readonly<Record<string, string | number>>;
  /** Of `method_not_allowed`: what the path accepts, if that is more than `PLAIN_METHODS`. */
  allow?: string;
}

/** Many bad parameters as one problem. */
export function invalidParameters(errors: readonly ParameterProblem[]): Problem {
  return { code: 'invalid_parameter', detail: errors.map(({ detail }) => detail).join('; '), errors };
}

/** What was sent, fit for an answer: cut, and never a key (a key pasted into the wrong place must not travel further). */
export function showValue(value: string): string {
  const points = Array.from(value.slice(0, SHOWN_VALUE_LENGTH * 2).toWellFormed());
  return points.slice(0, SHOWN_VALUE_LENGTH).join('').replace(KEY_LIKE, '[key]');
}

/** Code points of a bad value that are repeated (decisions §3). */
const SHOWN_VALUE_LENGTH = 64;
/** Anything that begins like a key; a cut one counts. */
const KEY_LIKE = /mq_(?:live|test)_\w*/gi;
