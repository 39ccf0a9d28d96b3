/**
 * The tables as Kysely sees them, by the room that owns them: only that room names them in SQL. `test/house/tables.test.ts` checks it.
 * The SQL in `migrations/` is the truth; a test compares the two.
 */

import type { AccountsTables } from './schema/accounts.ts';
import type { AddressesTables } from './schema/addresses.ts';
import type { BackupTables } from './schema/backup.ts';
import type { BillingTables } from './schema/billing.ts';
import type { EmbedsTables } from './schema/embeds.ts';
import type { ExportsTables } from './schema/exports.ts';
import type { FeedsTables } from './schema/feeds.ts';
import type { IngestTables } from './schema/ingest.ts';
import type { McpTables } from './schema/mcp.ts';
import type { RecordsTables } from './schema/records.ts';
import type { ReportsTables } from './schema/reports.ts';
import type { StatusTables } from './schema/status.ts';
import type { StoreTables } from './schema/store.ts';
import type { WebhooksTables } from './schema/webhooks.ts';

export interface Database
  extends AccountsTables,
    AddressesTables,
    BackupTables,
    BillingTables,
    EmbedsTables,
    ExportsTables,
    FeedsTables,
    IngestTables,
    McpTables,
    RecordsTables,
    ReportsTables,
    StatusTables,
    StoreTables,
    WebhooksTables {}
