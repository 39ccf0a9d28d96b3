// The commands an operator types, but those that start the service: one file per group.
// Words of the command line enter; an answer on standard output leaves, or a refusal of one sentence.
// Each opens the store beside a running service or alone, and never leaves it open.
export { accountCommand } from './account.ts';
export { backupCommand, restoreCommand } from './backup.ts';
export { correctCommand, hideCommand, unhideCommand } from './correct.ts';
export { demoCommand, ensureDemo } from './demo.ts';
export { doctorCommand } from './doctor.ts';
export { explainCommand } from './explain.ts';
export { exportCommand } from './export.ts';
export { importCommand } from './import.ts';
export { incidentCommand } from './incident.ts';
export { ingestCommand, runCommand } from './ingest.ts';
export { keyCommand } from './key.ts';
export { mcpCommand } from './mcp.ts';
export { migrateCommand } from './migrate.ts';
export { reviewCommand } from './review.ts';
export { sourceCommand } from './source.ts';
