/** A whole service with customers who have exports, on a clock that the test moves. */

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createAccounts } from '../../../src/accounts/index.ts';
import { createOwnExports, type Export, type ExportOwner, type Manifest, type OwnExports } from '../../../src/exports/index.ts';
import { createFeeds } from '../../../src/feeds/index.ts';
import { openSite, type Site, type SiteOptions } from './site.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not.
type Json = any;
export type Customer = ExportOwner & { key: string };

export interface ExportRig {
  site: Site;
  own: OwnExports;
  createCustomer(email: string, tier: 'growth' | 'enterprise'): Promise<Customer>;
  api(path: string, key: string): Promise<{ status: number; body: Json; headers: Headers }>;
  /** The id of the request. */
  request(owner: ExportOwner, input?: Partial<Parameters<OwnExports['create']>[1]>): Promise<string>;
  /** Of a request, newest first. */
  exportsOf(owner: ExportOwner, requestId: string): Promise<Export[]>;
  /** The newest export of a request, when so many of it are ready. */
  ready(owner: ExportOwner, requestId: string, count?: number): Promise<Export>;
  /** Its manifest, as the API gives it. */
  manifestOf(owner: Customer, requestId: string, count?: number): Promise<Manifest & { id: string }>;
  /** The records of all files of a kind; each is compared with its hash. */
  fetchLines(manifest: Manifest, kind: string): Promise<Json[]>;
  foldersOf(id: string): string[];
  /** A commit, by which the service sees that the clock was moved. */
  touch(): Promise<void>;
}

export const EVERYTHING = { feedId: null, format: 'ndjson', columns: null, repeat: 'once' } as const;

export async function openExportRig(options: SiteOptions = {}): Promise<ExportRig> {
  const site = await openSite(options);
  const { db } = site.store;
  const own = createOwnExports({ db, feeds: createFeeds({ db, now: site.now }), now: site.now });

  const api: ExportRig['api'] = async (path, key) => {
    const answer = await site.ask(`/api/v1${path}`, { headers: { 'X-API-Key': key } });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };
  const exportsOf: ExportRig['exportsOf'] = async (owner, requestId) => {
    const { exports } = await own.list(owner.accountId, { limit: 100, offset: 0 });
    return exports.filter((each) => each.requestId === requestId);
  };
  const ready: ExportRig['ready'] = (owner, requestId, count = 1) =>
    until(async () => {
      const found = await exportsOf(owner, requestId);
      const failed = found.find(({ state }) => state === 'failed');
      if (failed) throw new Error(failed.error ?? 'failed');
      return found.filter(({ state }) => state === 'ready').length >= count ? found[0] : null;
    });

  return {
    site,
    own,
    api,
    exportsOf,
    ready,
    async createCustomer(email, tier) {
      const accounts = createAccounts({ db, now: site.now });
      const created = await accounts.createAccount({ email, tier });
      const key = await accounts.createKey({ email, name: 'test', tier });
      if (!created.ok || !key.ok) throw new Error('no customer');
      const { id } = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow();
      return { accountId: id, actor: { id, name: email }, key: key.key };
    },
    async request(owner, input = {}) {
      const created = await own.create(owner, { ...EVERYTHING, ...input });
      if (!created.ok) throw new Error(created.detail);
      return created.requestId;
    },
    async manifestOf(owner, requestId, count = 1) {
      const { id } = await ready(owner, requestId, count);
      return { ...(await api(`/exports/${id}`, owner.key)).body.data.manifest, id };
    },
    async fetchLines({ files }, kind) {
      const lines: Json[] = [];
      for (const { name, url, sha256 } of files.filter((file) => file.name.startsWith(kind))) {
        const text = await (await fetch(url)).text();
        expect(createHash('sha256').update(text).digest('hex'), name).toBe(sha256);
        lines.push(
          ...text
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line)),
        );
      }
      return lines;
    },
    foldersOf: (id) => readdirSync(join(site.dataDir, 'exports', 'ready')).filter((name) => name.startsWith(id)),
    async touch() {
      await db.updateTable('lease').set({ name: 'none' }).where('name', '=', 'none').execute();
    },
  };
}

export async function until<T>(look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
