/** What is saved of a request. */

/**
 * Filters and order of `GET /events` as a query string: checked by the parameter rules of the API, in canonical form. The API makes it,
 * so text that nobody checked cannot be saved.
 */
export type CheckedQuery = string & { readonly checked: true };

/** As the column allows; more than all filters at their longest. */
export const MAX_QUERY_LENGTH = 8_000;
