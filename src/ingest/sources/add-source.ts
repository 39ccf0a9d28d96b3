/** `addSource`: a source is registered once its location and mapping are understood. */

import { randomUUIDv7 } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Kysely } from 'kysely';
import { mappingFlaw, PROVIDER_KINDS, PROVIDERS, type Provider, ProviderError } from '../../providers/index.ts';
import type { Database } from '../../store/index.ts';
import { BUNDLE_SOURCE, findSource, type Source } from './sources.ts';

type Store = { db: Kysely<Database> };

export interface NewSource {
  store: Store;
  kind: string;
  /** A web address, a file, its `file:` address, or what the kind documents. */
  location: string;
  /** Parsed, untrusted content of a mapping file (docs/providers.md); null without one. */
  mapping: unknown;
  /** Default: the file's name without its ending, or the host. */
  name?: string | undefined;
  everySeconds?: number | undefined;
  trust?: number | undefined;
  /** The line that its data is shown with. */
  licence?: string | undefined;
  /** Whether a web address may be asked at all; the refusal is one sentence. */
  checkAddress?: (url: string) => { ok: true } | { ok: false; reason: string };
  now?: () => number;
  newId?: () => string;
}

/** Registers a source; location and mapping are checked before the first record is read. The refusal is one sentence. */
export async function addSource(source: NewSource): Promise<{ ok: true; source: Source } | { ok: false; reason: string }> {
  const { store, kind, mapping, everySeconds = null, trust = DEFAULT_TRUST, now = Date.now, newId = randomUUIDv7 } = source;
  const provider = PROVIDERS.find((known) => known.kind === kind);
  if (!provider) return refused(`wanted a kind of source (${PROVIDER_KINDS.join(', ')}), got ${JSON.stringify(kind)}`);
  const checked = mappingFlaw(provider, mapping);
  if (checked !== null) return refused(checked);
  const placed = await placeOf(provider, source);
  if (!placed.ok) return placed;
  const { location } = placed;
  const name = source.name ?? nameOf(location, kind);
  const wrong = checkName(name) ?? checkNumbers(trust, everySeconds) ?? checkLicence(source.licence);
  if (wrong !== null) return refused(wrong);
  const added = await store.db
    .insertInto('source')
    .values({
      id: newId(),
      name,
      kind,
      location,
      mapping: mapping === null || mapping === undefined ? null : JSON.stringify(mapping),
      every_seconds: everySeconds,
      trust,
      licence: source.licence?.trim() || null,
      created_at: new Date(now()),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return refused(`a source named ${JSON.stringify(name)} already exists`);
  const found = await findSource(store, name);
  return found ? { ok: true, source: found } : refused(`the source ${JSON.stringify(name)} was removed while it was being added`);
}

function checkName(name: string): string | null {
  if (!/^[^\p{Cc}]{1,100}$/u.test(name) || name.trim() !== name)
    return 'wanted a name of 1 to 100 characters without spaces around it';
  return name === BUNDLE_SOURCE ? `the name ${BUNDLE_SOURCE} is reserved for imported bundles` : null;
}

function checkLicence(licence: string | undefined): string | null {
  return licence === undefined || /^[^\p{Cc}]{1,500}$/u.test(licence)
    ? null
    : 'wanted a licence of one line, at most 500 characters';
}

function checkNumbers(trust: number, everySeconds: number | null): string | null {
  if (!(trust >= 0 && trust <= 1)) return `wanted a trust from 0 to 1, got ${trust}`;
  if (everySeconds === null) return null;
  const isPossible = Number.isInteger(everySeconds) && everySeconds > 0 && everySeconds <= MAX_SECONDS;
  return isPossible ? null : 'wanted a whole number of seconds, at most 366 days';
}

/** A web address that may be asked, a file that is there, or words that the provider understands. */
async function placeOf(
  provider: Provider,
  { location, checkAddress, mapping }: NewSource,
): Promise<{ ok: true; location: string } | { ok: false; reason: string }> {
  if (/^https?:/i.test(location)) {
    const checked = checkAddress?.(location) ?? { ok: true };
    return checked.ok ? understood(provider, location, mapping) : checked;
  }
  const file = fileOf(location);
  const isThere = file !== null && (await stat(file).catch(() => null))?.isFile() === true;
  if (file !== null && isThere) return { ok: true, location: pathToFileURL(file).href };
  if (file === null && /^[a-z][a-z0-9+.-]+:\/\//i.test(location))
    return refused(`wanted a file, or an http or https address, got ${location}`);
  const words = understood(provider, location, mapping);
  // Words of a kind that has none are the path of a file that is still to come.
  if (words.ok || file === null || provider.keySetting !== null) return words;
  return { ok: true, location: pathToFileURL(file).href };
}

function understood(
  provider: Provider,
  location: string,
  mapping: unknown,
): { ok: true; location: string } | { ok: false; reason: string } {
  try {
    provider.request({
      name: '',
      location,
      mapping: mapping ?? null,
      key: null,
      zone: 'UTC',
      locales: [],
      window: { from: 0, until: 0 },
    });
    return { ok: true, location };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // The key is none of the source's: it may be set later, and is not known here.
    return error.code === 'needs_key' ? { ok: true, location } : refused(error.message);
  }
}

/** The file's name without its ending, or the host; for other words the kind. */
function nameOf(location: string, kind: string): string {
  const url = URL.parse(location);
  if (url?.protocol === 'file:') return basename(fileURLToPath(url), extname(url.pathname));
  return url?.hostname || kind;
}

/** The absolute path of a file given as path or `file:` address; null for other addresses. */
function fileOf(location: string): string | null {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(location)) return location === '' ? null : resolve(location);
  try {
    return fileURLToPath(location);
  } catch {
    return null;
  }
}

const refused = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });

const DEFAULT_TRUST = 0.5;
const MAX_SECONDS = 366 * 86_400;
