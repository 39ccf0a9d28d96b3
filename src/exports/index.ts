// Exports: all records of a saved query, or of the directory, as files.
// A snapshot of `search` and what was asked for enter; files in parts, a signed manifest and URLs for them leave.
// Jobs wait in a table of their own, and a thread beside the serving one writes the files.
export { type ColumnName, EVENT_COLUMNS, FACT_COLUMNS, parseColumns } from './columns.ts';
export { ExportFolderError, exportToFolder } from './export-folder.ts';
export {
  EXPORT_FORMATS,
  type ExportContent,
  type ExportFilter,
  type ExportFormat,
  isExportFormat,
  MANIFEST_FILE,
  type Manifest,
} from './model.ts';
export { ReadExportError, readExport } from './read-export.ts';
export { createSigningKey } from './signing-key.ts';
