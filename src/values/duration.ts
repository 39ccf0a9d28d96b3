/** Lengths of time that everybody agrees on. A calendar day of a city may be longer or shorter: see `city`. */

export const DAY_SECONDS = 86_400;
export const DAY_MS = DAY_SECONDS * 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
