// How long data is kept: one table of rules, and the job that deletes what is older.
// In: the database, the data folder and the time. Out: how many rows and files were deleted, and what each table takes.
// docs/retention.md says the same for operators; a test compares the two.
export { type CleanUpOptions, cleanUp } from './clean-up.ts';
export { KEPT_FOREVER, RETENTION } from './rules.ts';
export { readSizes, type TableSize } from './sizes.ts';
