/** How long texts (code points) and lists (entries) of a listing may be, whoever says it: what the store keeps. */

export const LIMITS = {
  externalId: 500,
  title: 300,
  description: 20_000,
  performer: 300,
  performers: 200,
  tag: 100,
  tags: 100,
  source: 100,
  sources: 50,
  signals: 1000,
  organizer: 300,
  name: 300,
  address: 500,
  url: 2048,
} as const;
