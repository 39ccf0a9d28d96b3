/** The readable part of public addresses: short, unique per kind of record, and never handed to another record. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';

export type SluggedKind = 'event' | 'venue';

/**
 * A title as lower-case ASCII words joined by `-`, at most `MAX_SLUG_CHARS` long, cut between words where possible.
 * Latin letters lose their marks, Greek and Cyrillic are transliterated; a title of other scripts only gives ''.
 */
export function slugify(title: string): string {
  const ascii = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’ʼ`]/gu, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{ASCII}]/gu, (letter) => LETTERS.get(letter) ?? ' ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return shorten(ascii, MAX_SLUG_CHARS);
}

export interface SlugRequest {
  id: string;
  title: string;
  /** The slug it has now, if any. */
  current: string | null;
}

/**
 * Gives each record a slug of its title: kept while the title still leads to it, else the plain one if it was never another
 * record's, else one with a suffix taken from the record's id. A slug that is left stays as a redirect to its record.
 */
export async function assignSlugs(
  trx: Transaction<Database>,
  kind: SluggedKind,
  requests: readonly SlugRequest[],
): Promise<Map<string, string>> {
  /** Those that are open yet have their present slug here until they get another. */
  const assigned = new Map(requests.flatMap(({ id, current }) => (current === null ? [] : [[id, current] as const])));
  const left: { id: string; slug: string }[] = [];
  const taken = new Set<string>();
  let open = requests.filter((request) => request.current === null || !leadsTo(request, kind));
  for (let round = 0; open.length > 0; round++) {
    const owners = await slugOwners(trx, kind, [...new Set(open.map((request) => candidate(request, kind, round)))]);
    const collided: SlugRequest[] = [];
    for (const request of open) {
      const slug = candidate(request, kind, round);
      const owner = owners.get(slug);
      if (taken.has(slug) || (owner !== undefined && owner !== request.id)) {
        collided.push(request);
        continue;
      }
      taken.add(slug);
      assigned.set(request.id, slug);
      if (request.current !== null) left.push({ id: request.id, slug: request.current });
    }
    open = collided;
  }
  await leaveSlugs(trx, kind, left, assigned);
  return assigned;
}

/** Whether the present slug is one that this title gives. */
function leadsTo(request: SlugRequest, kind: SluggedKind): boolean {
  for (let round = 0; round <= SUFFIX_CHARS.length; round++) if (request.current === candidate(request, kind, round)) return true;
  return false;
}

/** The plain slug first, then ever longer suffixes of the record's id, then numbers. */
function candidate(request: SlugRequest, kind: SluggedKind, round: number): string {
  const base = slugify(request.title) || kind;
  if (round === 0) return base;
  const length = SUFFIX_CHARS[round - 1];
  const digits = request.id.replaceAll('-', '');
  const suffix = length ? digits.slice(-length) : `${digits}-${round}`;
  return `${shorten(base, MAX_SLUG_CHARS - suffix.length - 1)}-${suffix}`;
}

async function slugOwners(trx: Transaction<Database>, kind: SluggedKind, slugs: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ slug: string; id: string }>`
    select slug, id from ${sql.table(kind)} where slug = any(${slugs}::text[])
    union all
    select slug, ${sql.ref(`${kind}_id`)} from old_slug where kind = ${kind} and slug = any(${slugs}::text[])`.execute(trx);
  return new Map(rows.map(({ slug, id }) => [slug, id]));
}

async function leaveSlugs(
  trx: Transaction<Database>,
  kind: SluggedKind,
  left: readonly { id: string; slug: string }[],
  assigned: ReadonlyMap<string, string>,
): Promise<void> {
  if (left.length === 0) return;
  const ids = left.map(({ id }) => id);
  // A record that returns to a title it once had takes its old slug back.
  await trx
    .deleteFrom('old_slug')
    .where('kind', '=', kind)
    .where(
      'slug',
      'in',
      ids.map((id) => assigned.get(id) ?? ''),
    )
    .execute();
  await trx
    .insertInto('old_slug')
    .values(
      left.map(({ id, slug }) => ({
        kind,
        slug,
        event_id: kind === 'event' ? id : null,
        venue_id: kind === 'venue' ? id : null,
      })),
    )
    .execute();
}

function shorten(slug: string, chars: number): string {
  if (slug.length <= chars) return slug;
  const cut = slug.slice(0, chars + 1);
  const word = cut.lastIndexOf('-');
  return word > chars / 2 ? cut.slice(0, word) : slug.slice(0, chars).replace(/-$/, '');
}

const MAX_SLUG_CHARS = 80;
/** Hexadecimal digits from the end of the id, where a UUID v7 is random (RFC 9562 §5.7). */
const SUFFIX_CHARS = [6, 12, 32] as const;

/** Letters that do not decompose into an ASCII letter and marks. */
const LETTERS = new Map(
  [
    'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ħ=h ı=i ŋ=n ſ=s ĸ=k ə=e',
    'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o',
    'а=a б=b в=v г=g д=d е=e ж=zh з=z и=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch',
    'ъ= ы=y ь= э=e ю=yu я=ya є=ye і=i ґ=g ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => {
      const [letter = '', ascii = ''] = pair.split('=');
      return [letter, ascii] as const;
    }),
);
