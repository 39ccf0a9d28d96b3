/** `discoverSources`: candidates of the web sites of venues, each host asked once. */

import type { FoundSources, SourceCandidate } from '../finding/index.ts';

export interface VenueSite {
  venue: string;
  website: string;
}

/** Either `candidates` or, where there is nothing to accept, the `reason`: one sentence. */
export interface DiscoveredSite extends VenueSite {
  candidates?: SourceCandidate[];
  reason?: string;
}

interface Discovery {
  /** Locations of sources that are there already. */
  known: ReadonlySet<string>;
  find(address: string): Promise<FoundSources>;
  /** Told each site as soon as it was looked at, with how many were until then; waited for. */
  onSite(site: DiscoveredSite, done: number): void | Promise<void>;
}

/** In the order of the venues, whatever was read first. */
export async function discoverSources(venues: readonly VenueSite[], discovery: Discovery): Promise<DiscoveredSite[]> {
  const hosts = [...Map.groupBy(venues, ({ website }) => hostOf(website)).values()];
  const found = new Map<VenueSite, DiscoveredSite>();
  const waiting = hosts.values();
  const work = async (): Promise<void> => {
    for (const sites of waiting) {
      for (const site of await lookAt(sites, discovery)) {
        found.set(site.of, site.answer);
        await discovery.onSite(site.answer, found.size);
      }
    }
  };
  await Promise.all(Array.from({ length: SITES_AT_ONCE }, work));
  return venues.flatMap((venue) => found.get(venue) ?? []);
}

/** Of several venues on one host the one with the shortest address answers for all. */
async function lookAt(
  sites: readonly VenueSite[],
  { known, find }: Discovery,
): Promise<{ of: VenueSite; answer: DiscoveredSite }[]> {
  const [first, ...others] = sites.toSorted((a, b) => a.website.length - b.website.length);
  if (!first) return [];
  const { candidates, notes } = await findAt(first.website, find);
  const fresh = candidates.filter(({ location }) => !known.has(location));
  const reason =
    candidates.length > fresh.length ? 'its calendars are sources already' : notes.join('; ') || 'no events were found';
  return [
    { of: first, answer: { ...first, ...(fresh.length > 0 ? { candidates: fresh } : { reason }) } },
    ...others.map((site) => ({ of: site, answer: { ...site, reason: `it is on the site of ${first.venue}` } })),
  ];
}

/** The page of a venue may be gone, or one of a hundred of its chain: then the front page of the site is looked at. */
async function findAt(website: string, find: Discovery['find']): Promise<Pick<FoundSources, 'candidates' | 'notes'>> {
  const found = await find(website).catch(failed);
  const front = URL.parse('/', website)?.href;
  if (found.candidates.length > 0 || front === undefined || front === URL.parse(website)?.href) return found;
  const atFront = await find(front).catch(failed);
  return atFront.candidates.length > 0 ? atFront : found;
}

/** One site that cannot be judged is no reason to lose what the others gave. */
function failed(error: unknown): Pick<FoundSources, 'candidates' | 'notes'> {
  return { candidates: [], notes: [`it could not be looked at: ${error instanceof Error ? error.message : String(error)}`] };
}

/** With and without `www.` it is one site. */
function hostOf(website: string): string {
  return (URL.parse(website)?.host ?? website).replace(/^www\./, '');
}

/** Each host is asked once a second at most; others go on meanwhile. */
const SITES_AT_ONCE = 12;
