/** `import`: a city bundle from a folder, or the export of another instance. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import { ReadExportError, readExport } from '../exports/index.ts';
import { importBundle } from '../ingest/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { showProgress, showReport } from './print-run.ts';
import { counted } from './print-table.ts';

interface ImportFlags {
  dryRun?: true;
  prune?: true;
  strict?: true;
  json?: true;
}

export function importCommand(context: Context): Command {
  return new Command('import')
    .description('imports a city bundle or a full NDJSON export; importing the same files again changes nothing')
    .argument('<folder>', 'folder with city.json, neighborhoods.geojson, venues.ndjson or events.ndjson, or with an export')
    .option('--dry-run', 'writes nothing and reports all changes it would make')
    .option('--prune', 'removes records of earlier bundles that this bundle lacks')
    .option('--strict', 'exits with code 1 if a line was rejected')
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
