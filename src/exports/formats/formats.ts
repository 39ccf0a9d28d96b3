/** The table of formats. */

import type { ExportFormat } from '../model.ts';
import { csv } from './csv.ts';
import type { Format } from './format.ts';
import { geojson } from './geojson.ts';
import { ndjson } from './ndjson.ts';
import { parquet } from './parquet.ts';

export const FORMATS: Readonly<Record<ExportFormat, Format>> = { ndjson, csv, geojson, parquet };
