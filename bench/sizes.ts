/** How much `run.ts` measures: all of it for the page, or a little to see that it runs. */

export type Sizes = typeof SMOKE;

export const FULL: Sizes = {
  events: 100_000,
  growth: [10_000, 1_000_000],
  requests: 2_000,
  rounds: 7,
  keys: 400,
  decisions: 1_000_000,
  redis: { events: 20_000, requests: 8_000, rounds: 9, seconds: 5 },
  changes: 30,
  listings: 50_000,
  pages: { requests: 200, visits: 5, painted: Number.POSITIVE_INFINITY },
  crowd: { people: 200, seconds: 10, rounds: 3 },
  exported: 1_000_000,
  webhooks: { changes: 50, storm: 1_000, dead: 1_000, waiting: 100 },
};

export const SMOKE = {
  events: 2_000,
  growth: [1_000, 5_000],
  requests: 100,
  rounds: 1,
  keys: 20,
  decisions: 20_000,
  redis: { events: 1_000, requests: 100, rounds: 2, seconds: 1 },
  changes: 2,
  listings: 500,
  pages: { requests: 5, visits: 1, painted: 3 },
  crowd: { people: 20, seconds: 1, rounds: 1 },
  exported: 5_000,
  webhooks: { changes: 5, storm: 40, dead: 50, waiting: 20 },
};
