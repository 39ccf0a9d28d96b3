/** A moment on the city’s clock. */

/** All of it is text made on the server: a browser in another zone shows the same. */
export interface FormattedMoment {
  /** RFC 3339, for machines. */
  iso: string;
  /** `Tue, Jun 16, 2026, 8:00 PM` in the city. */
  text: string;
  /** `5 minutes ago`, `in 2 hours`, `now`. */
  away: string;
}
