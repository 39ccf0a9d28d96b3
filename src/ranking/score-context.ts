/** What the rest of the directory says about an event. It is stored with the score, so the score can be replayed. */

export interface ScoreContext {
  /** Which of the coming events of its program it is, from 1; see `showings`. */
  showing: number;
  /** How many events of its series its venue has within `RARITY_DAYS` before and after it, with itself. */
  nights: number;
  /** How large and sought-after its venue is, in percent; see `venueProfiles`. */
  venue: number;
  /** The same of the best venue where its series or one of its performers is listed. */
  bestVenue: number;
  /** How much of a week its series fills at its venue, in percent; 0 for what is free. */
  residency: number;
  picture: Picture;
  /** The middle of the prices of its series, in whole units of the city's currency; 0 where none is known. */
  price: number;
  /** Whether it begins when most people are free. */
  isLeisure: boolean;
  /** Which of its category it is on its day, from 1; see `rankOfDay`. */
  dayRank: number;
  /** Whether it is one of the best small events of its day. */
  isPick: boolean;
  /** The series at its venue, and how many of them are headliners. */
  series: number;
  headliners: number;
}

/** A picture that several series share is a placeholder. `unknown`: no provider gives one. */
export const PICTURES = ['unknown', 'placeholder', 'own'] as const;
export type Picture = (typeof PICTURES)[number];

/** Small integers, as the store keeps them; `showing` has a column of its own. */
export const encodeContext = (context: ScoreContext): number[] => [
  context.nights,
  context.venue,
  context.bestVenue,
  context.residency,
  PICTURES.indexOf(context.picture),
  context.price,
  Number(context.isLeisure),
  context.dayRank,
  Number(context.isPick),
  context.series,
  context.headliners,
];

export function decodeContext(showing: number, stored: readonly number[] | null): ScoreContext {
  const [nights = 1, venue = 0, bestVenue = 0, residency = 0, picture = 0, price = 0, leisure = 0] = stored ?? [];
  const [dayRank = 1, pick = 0, series = 1, headliners = 0] = stored?.slice(7) ?? [];
  return {
    showing,
    nights,
    venue,
    bestVenue,
    residency,
    picture: PICTURES[picture] ?? 'unknown',
    price,
    isLeisure: leisure === 1,
    dayRank,
    isPick: pick === 1,
    series,
    headliners,
  };
}
