// Exports: all records of a saved query, or of the directory, as files.
// A snapshot of `search` and what was asked for enter; files in parts, a signed manifest and URLs for them leave.
// Jobs wait in a table of their own, and a thread beside the serving one writes the files.
export { createUrlSigner } from './access.ts';
export { EVENT_COLUMNS, parseColumns } from './columns.ts';
export { createDownloadRoutes } from './downloads.ts';
export { createExportReader, type ExportReader, ExportsUnavailableError, type ListedExport } from './export-reader.ts';
export { type Export, type ExportOwner, type ExportRequest, REPEATS } from './export-request.ts';
export { EXPORT_FORMATS, type ExportContent, type ExportFilter, type ExportFormat, type Manifest } from './model.ts';
export { createOwnExports, type OwnExports } from './own-exports.ts';
export { ReadExportError, readExport } from './read-export.ts';
export type { ExportReason } from './refusals.ts';
export { createSigningKey } from './signing-key.ts';
export { createLocalStorage, createS3Storage, type ExportStorage } from './storage.ts';
export { ExportFolderError, exportToFolder } from './worker/export-folder.ts';
export { loadExportDelay } from './worker/queue.ts';
export { createExportRunner, type ExportRunner } from './worker/run-exports.ts';
