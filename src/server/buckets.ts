/** Buckets that fill again by the second, one for each network that asked lately. */

export interface FillingBucket {
  left: number;
  /** Milliseconds. */
  filledAt: number;
}

export interface BucketOptions {
  /** What a full one holds, and how much more comes in each second. */
  burst: number;
  perSecond: number;
  /** Milliseconds. */
  now: () => number;
}

/** Gives the bucket of a network, filled up to this moment. The network that has not asked for longest is forgotten first. */
export function createBuckets({ burst, perSecond, now }: BucketOptions): (network: string) => FillingBucket {
  const buckets = new Map<string, FillingBucket>();
  return (network) => {
    const bucket = buckets.get(network) ?? { left: burst, filledAt: now() };
    buckets.delete(network);
    buckets.set(network, bucket);
    if (buckets.size > MAX_NETWORKS) buckets.delete(buckets.keys().next().value ?? '');
    bucket.left = Math.min(burst, bucket.left + ((now() - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now();
    return bucket;
  };
}

/** The bucket of a network that was forgotten is full again. */
const MAX_NETWORKS = 10_000;
