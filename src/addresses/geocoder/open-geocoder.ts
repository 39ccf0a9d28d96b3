/** `openGeocoder`: asks a Nominatim or Photon service where texts are, politely and never for long, and keeps what it said. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type FetchOutcome, type OutboundOptions, openOutbound } from '../../outbound/index.ts';
import type { Database } from '../../store/index.ts';
import { USUAL_RADIUS_KM } from '../../values/distance.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { GeocoderAddress } from '../../values/geocoder-address.ts';
import type { GeocoderQuestion, KnownAnswers } from '../model.ts';
import { choosePlace, type GeocoderCircle, isInCircle } from './choose-place.ts';
import { type KeptAnswer, keepAnswer, loadAnswers, noteFailure, noteSuccess, takeTurn } from './keep-answers.ts';
import { readPlaces } from './read-places.ts';

export interface Geocoder {
  /** Its kind and address. */
  service: string;
  /** The answers so far, for points of the city alone. */
  load(city: GeocodedCity): Promise<KnownAnswers>;
  /**
   * Asks what is not known yet, the first questions first, and keeps the answers. Never rejects for anything that the service does.
   * `open` counts questions that are left for another time; `warning` is one sentence about a service that fails.
   */
  ask(questions: readonly GeocoderQuestion[], city: GeocodedCity): Promise<{ open: number; warning: string | null }>;
  close(): Promise<void>;
}

export interface GeocodedCity {
  latitude: number;
  longitude: number;
  radiusKm?: number;
  locale: string;
}

export interface GeocoderOptions {
  db: Kysely<Database>;
  address: GeocoderAddress;
  /** With a contact of the operator. */
  userAgent: string;
  /** Real time, also where the directory's clock stands. */
  now: () => number;
  wait?: (ms: number) => Promise<void>;
  connect?: OutboundOptions['connect'];
}

/** One geocoder asks at most `MAX_QUESTIONS` questions: open one for each run. */
export function openGeocoder({ db, address, userAgent, now, wait = delay, connect }: GeocoderOptions): Geocoder {
  const service = `${address.kind} ${address.url}`;
  // The operator's own service may be in a private network, as the operator wrote its address.
  const outbound = openOutbound({
    allowedHosts: [hostOf(address)],
    userAgent,
    limits: LIMITS,
    now,
    ...(connect && { connect }),
  });
  let left = MAX_QUESTIONS;
  let loaded: Promise<Map<string, KeptAnswer>> | undefined;
  const loadKept = () => {
    loaded ??= loadAnswers(db, service);
    return loaded;
  };
  let warning: string | null = null;

  async function keep({ text }: GeocoderQuestion, placed: KeptAnswer['placed'], forMs: number): Promise<void> {
    const answer = { placed, expiresAt: now() + forMs };
    await keepAnswer(db, service, text, answer);
    (await loadKept()).set(text, answer);
  }

  /** False if the service is not to be asked any more. */
  async function askOne(question: GeocoderQuestion, city: GeocodedCity): Promise<boolean> {
    const turn = await takeTurn(db, service, now());
    if (turn === null) return false;
    await wait(Math.max(0, turn - now()));
    left--;
    const outcome = await outbound.fetch({ url: urlOf(address, question, city), accept: 'application/json', isApi: true });
    const places = outcome.ok === true && outcome.status === 200 ? readPlaces(address.kind, outcome.body) : null;
    if (places) {
      const placed = choosePlace(question, places, circleOf(city));
      await keep(question, placed, placed ? KEEP_MS : KEEP_NOTHING_MS);
      await noteSuccess(db, service, now());
      return true;
    }
    const { reason, waitMs, isRejected } = failureOf(outcome, address);
    // So that a question that the service cannot read does not stand before all others for ever.
    if (isRejected) await keep(question, null, KEEP_REJECTED_MS);
    const until = new Date(await noteFailure(db, service, now(), waitMs)).toISOString();
    warning = `the geocoder ${hostOf(address)} does not help: ${reason}; it is not asked before ${until.slice(0, 16)}Z`;
    return false;
  }

  return {
    service,
    async load(city) {
      const kept = await loadKept();
      return { find: ({ text }) => inCity(kept.get(text), city) };
    },
    async ask(questions, city) {
      warning = null;
      const kept = await loadKept();
      const asked = [...new Map(questions.map((question) => [question.text, question])).values()];
      const open = asked.filter(({ text }) => (kept.get(text)?.expiresAt ?? 0) <= now());
      const until = now() + MAX_ASKING_MS;
      let done = 0;
      for (const question of open) {
        if (left <= 0 || now() >= until || !(await askOne(question, city))) break;
        done++;
      }
      return { open: open.length - done, warning };
    },
    close: outbound.close,
  };
}

function urlOf({ kind, url }: GeocoderAddress, { text }: GeocoderQuestion, city: GeocodedCity): string {
  const { latitude, longitude, radiusKm } = circleOf(city);
  const north = radiusKm / KM_PER_DEGREE;
  const east = north / Math.max(Math.cos((latitude * Math.PI) / 180), MIN_COSINE);
  const [west, south] = [round(longitude - east), round(latitude - north)];
  const box = [west, south, round(longitude + east), round(latitude + north)].join(',');
  const target = new URL(kind === 'nominatim' ? 'search' : 'api', url);
  const fields: Record<string, string> =
    kind === 'nominatim'
      ? { format: 'jsonv2', addressdetails: '1', viewbox: box, bounded: '1', 'accept-language': city.locale }
      : { lat: String(latitude), lon: String(longitude), bbox: box };
  target.search = new URLSearchParams({ q: text, limit: String(MAX_PLACES), ...fields }).toString();
  return target.href;
}

function failureOf(
  outcome: FetchOutcome,
  { kind }: GeocoderAddress,
): { reason: string; waitMs: number | null; isRejected: boolean } {
  if (outcome.ok === false) return { reason: outcome.detail, waitMs: outcome.retryAfterMs, isRejected: false };
  if (outcome.ok === true && outcome.status !== 200)
    return {
      reason: `it answers with status ${outcome.status}`,
      waitMs: outcome.retryAfterMs ?? null,
      isRejected: REJECTED.includes(outcome.status),
    };
  return { reason: `it does not answer as ${kind} does`, waitMs: null, isRejected: false };
}

function inCity(kept: KeptAnswer | undefined, city: GeocodedCity): KeptAnswer['placed'] {
  return kept?.placed && isInCircle(kept.placed, circleOf(city)) ? kept.placed : null;
}

const circleOf = ({ latitude, longitude, radiusKm = USUAL_RADIUS_KM }: GeocodedCity): GeocoderCircle => ({
  latitude,
  longitude,
  radiusKm,
});
const hostOf = ({ url }: GeocoderAddress): string => new URL(url).host;
const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;

/** For one run or one command: about a minute. */
const MAX_QUESTIONS = 60;
const MAX_ASKING_MS = 120_000;
const MAX_PLACES = 5;
/** An answer is asked again after half a year, and an address that the service does not know after a month. */
const KEEP_MS = 180 * DAY_MS;
const KEEP_NOTHING_MS = 30 * DAY_MS;
const KEEP_REJECTED_MS = DAY_MS;
const LIMITS = { headersMs: 5_000, totalMs: 5_000, redirects: 1, bodyBytes: 1_000_000, codedBytes: 1_000_000, perHost: 1 };
const KM_PER_DEGREE = 111.32;
const MIN_COSINE = 0.01;
/** The status of the answer to a question that the service cannot read. */
const REJECTED = [400, 414, 422];
