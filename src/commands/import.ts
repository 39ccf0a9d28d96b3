/** `import`: a city bundle from a folder, or the export of another instance. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import { ReadExportError, readExport } from '../exports/index.ts';
import { importBundle } from '../ingest/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { counted } from './counted.ts';
import { showProgress, showReport } from './progress.ts';

interface ImportFlags {
  dryRun?: true;
  prune?: true;
  strict?: true;
  json?: true;
}

export function importCommand(context: Context): Command {
  return new Command('import')
    .description('reads a city bundle, or a full NDJSON export, into the directory; the same twice changes nothing')
    .argument(
      '<folder>',
      'holds city.json, neighborhoods.geojson, venues.ndjson and events.ndjson, or some of them; or an export',
    )
    .option('--dry-run', 'writes nothing, reports what it would do')
    .option('--prune', 'removes what earlier bundles brought and this one lacks')
    .option('--strict', 'ends with exit code 1 when a line was rejected')
    .option('--json', 'print the report as JSON')
    .action((folder: string, flags: ImportFlags) =>
      context.withStore(async (store) => {
        const exported = await readExport(folder).catch((error: unknown) => {
          throw error instanceof ReadExportError ? new ExpectedError('refused', error.message, { cause: error }) : error;
        });
        const progress = showProgress(context, 'import');
        const report = await importBundle({
          store,
          ...(exported ? { bundle: exported } : { folder }),
          now: context.config.clocks.directory,
          dryRun: flags.dryRun ?? false,
          prune: flags.prune ?? false,
          onProgress: ({ bytes, totalBytes, lines }) => progress.update(totalBytes > 0 ? bytes / totalBytes : 0, lines),
        }).finally(progress.end);
        showReport(context, report, flags);
        if (flags.strict && report.rejectedCount > 0) {
          throw new ExpectedError('refused', `${counted(report.rejectedCount, 'line was', 'lines were')} rejected.`);
        }
      }),
    );
}
