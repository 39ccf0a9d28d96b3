/** What is counted between two flushes: requests of each subscription and day, and how those of each key and hour were answered. */

export interface SubscriptionCount {
  subscriptionId: string;
  /** UTC, days since 1970. */
  day: number;
  /** Negative when more were given back than admitted. */
  requests: number;
}

export interface KeyCount {
  keyId: string;
  /** UTC, hours since 1970. */
  hour: number;
  endpoint: string;
  status: number;
  requests: number;
}

/** Adding allocates nothing once a key, and each way its requests are answered, has been seen since the last flush. */
export class UsageBatch {
  #days = new Map<number, Map<string, number>>();
  #keys = new Map<string, Cells>();

  admit(subscriptionId: string, day: number, requests: number): void {
    let counts = this.#days.get(day);
    if (!counts) {
      counts = new Map();
      this.#days.set(day, counts);
    }
    counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + requests);
  }

  recordOutcome(keyId: string, hour: number, endpoint: string, status: number): void {
    let cells = this.#keys.get(keyId);
    if (!cells) {
      cells = { codes: [], counts: [] };
      this.#keys.set(keyId, cells);
    }
    const code = (hour * MAX_ENDPOINTS + numberOf(endpoint)) * STATUSES + status;
    const { codes, counts } = cells;
    for (let at = 0; at < codes.length; at += 1) {
      if (codes[at] !== code) continue;
      counts[at] = (counts[at] ?? 0) + 1;
      return;
    }
    codes.push(code);
    counts.push(1);
  }

  get isEmpty(): boolean {
    return this.#days.size === 0 && this.#keys.size === 0;
  }

  /** Without those that came to nothing; sorted, so that two writers lock rows in one order. */
  subscriptions(): SubscriptionCount[] {
    const rows: SubscriptionCount[] = [];
    for (const [day, counts] of this.#days) {
      for (const [subscriptionId, requests] of counts) if (requests !== 0) rows.push({ subscriptionId, day, requests });
    }
    return rows.sort((left, right) => compare(left.subscriptionId, right.subscriptionId) || left.day - right.day);
  }

  keys(): KeyCount[] {
    const rows: KeyCount[] = [];
    for (const [keyId, { codes, counts }] of this.#keys) {
      codes.forEach((code, at) => {
        const place = Math.floor(code / STATUSES);
        const endpoint = ENDPOINTS[place % MAX_ENDPOINTS] ?? '';
        const hour = Math.floor(place / MAX_ENDPOINTS);
        rows.push({ keyId, hour, endpoint, status: code % STATUSES, requests: counts[at] ?? 0 });
      });
    }
    return rows;
  }
}

/** Ways in which the requests of one key were answered, as numbers beside each other: seldom more than five. */
interface Cells {
  /** Hour, endpoint and status in one number. */
  codes: number[];
  counts: number[];
}

/** Templates of tables, numbered as they are first met. */
function numberOf(endpoint: string): number {
  const known = numbers.get(endpoint);
  if (known !== undefined) return known;
  if (ENDPOINTS.length === MAX_ENDPOINTS) return 0;
  numbers.set(endpoint, ENDPOINTS.length);
  return ENDPOINTS.push(endpoint) - 1;
}
const ENDPOINTS: string[] = [''];
const numbers = new Map<string, number>([['', 0]]);

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const MAX_ENDPOINTS = 256;
const STATUSES = 1_000;
