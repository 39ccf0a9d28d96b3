/**
 * The tables as Kysely sees them, by the room that owns them: only that room names them in SQL. `test/house/tables.test.ts` checks it.
 * The SQL in `migrations/` is the truth; a test compares the two.
 */

import type { AccountsTables } from './schema/accounts.ts';
import type { BackupTables } from './schema/backup.ts';
import type { BillingTables } from './schema/billing.ts';
import type { CatalogTables } from './schema/catalog.ts';
import type { CurationTables } from './schema/curation.ts';
import type { EmbedsTables } from './schema/embeds.ts';
import type { ExportsTables } from './schema/exports.ts';
import type { FeedsTables } from './schema/feeds.ts';
import type { McpTables } from './schema/mcp.ts';
import type { ReportsTables } from './schema/reports.ts';
import type { SourcesTables } from './schema/sources.ts';
import type { StatusTables } from './schema/status.ts';
import type { StoreTables } from './schema/store.ts';
import type { WebhooksTables } from './schema/webhooks.ts';

export interface Database
  extends AccountsTables,
    BackupTables,
    BillingTables,
    CatalogTables,
    CurationTables,
    EmbedsTables,
    ExportsTables,
    FeedsTables,
    McpTables,
    ReportsTables,
    SourcesTables,
    StatusTables,
    StoreTables,
    WebhooksTables {}
