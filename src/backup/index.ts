// Backups: everything of one moment in one file, and an empty store of either engine made of it.
// In: a store and where to write; or a file and an empty store. Out: a manifest, or a refusal of one sentence that changed nothing.
// docs/backup.md describes the format; it knows the tables by their rules of retention alone.
export { readDataFiles } from './data-files.ts';
export { DATA_FILES, LEFT_OUT } from './left-out.ts';
export { BackupError, type BackupManifest, nameFile } from './model.ts';
export { type BackupPlace, openSource, openTarget } from './places.ts';
export { type RestoreReport, restoreBackup, verifyBackup } from './restore-backup.ts';
export { type BackupState, backupDelay, loadBackupState } from './scheduled/backup-rows.ts';
export { type BackupScheduleOptions, makeDueBackup } from './scheduled/backup-schedule.ts';
export { type WrittenBackup, writeBackup } from './write-backup.ts';
