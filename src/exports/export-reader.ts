/** Exports as the API reads them: in time or not at all, with addresses that are signed for whoever asks. */

import { createDeadline } from '../store/index.ts';
import type { UrlSigner } from './access.ts';
import type { Export } from './export-request.ts';
import { MANIFEST_FILE, type Manifest } from './model.ts';
import type { OwnExports } from './own-exports.ts';

/** The store does not answer, or not in time. */
export class ExportsUnavailableError extends Error {}

export interface ListedExport extends Export {
  /** Good for ten minutes; null until the export is ready. */
  manifestUrl: string | null;
}

/** Every question rejects with an `ExportsUnavailableError` when the store does not answer in time. */
export interface ExportReader {
  /** Newest first. */
  list(accountId: string, page: { limit: number; offset: number }): Promise<{ total: number; exports: ListedExport[] }>;
  /** The id of the newest full export from which a copy can be filled; null when there is none of this epoch of the change log. */
  newestFull(accountId: string, epoch: string): Promise<string | null>;
  /** Null for unknown and foreign ids. The addresses of the manifest's files are absolute, and good for ten minutes. */
  find(accountId: string, id: string): Promise<{ export: ListedExport; manifest: Manifest | null } | null>;
}

/** `now`: the directory's clock. */
export function createExportReader(exports: OwnExports, signer: UrlSigner, publicUrl: string, now: () => number): ExportReader {
  const inTime = createDeadline({ deadlineMs: DEADLINE_MS, mostHanging: MAX_HANGING });
  const asked = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(work).catch((error: unknown) => {
      throw new ExportsUnavailableError('cannot read exports', { cause: error });
    });
  const urlOf = (id: string, name: string): string => publicUrl + signer.pathOf(id, name, now());
  const listed = (each: Export): ListedExport => ({
    ...each,
    manifestUrl: each.state === 'ready' ? urlOf(each.id, MANIFEST_FILE) : null,
  });
  return {
    async list(accountId, page) {
      const found = await asked(() => exports.list(accountId, page));
      return { total: found.total, exports: found.exports.map(listed) };
    },
    newestFull: (accountId, epoch) => asked(() => exports.newestFull(accountId, epoch)),
    async find(accountId, id) {
      const found = await asked(() => exports.find(accountId, id));
      if (!found) return null;
      const { manifest } = found;
      return {
        export: listed(found.export),
        manifest: manifest && {
          ...manifest,
          files: manifest.files.map((file) => ({ ...file, url: urlOf(id.toLowerCase(), file.name) })),
        },
      };
    },
  };
}

const DEADLINE_MS = 5_000;
const MAX_HANGING = 20;
