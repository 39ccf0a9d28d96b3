/** How long texts and lists may be: what the store keeps. Code points and entries. */

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
  organizer: 300,
  name: 300,
  address: 500,
  url: 2048,
} as const;
