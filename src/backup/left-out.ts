/** What a backup leaves out, and which files of the data folder it takes along. docs/backup.md has both tables; a test compares them. */

/** Tables whose rows mean nothing after a restore. They are empty then. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  request_minute: 'the rolling minute is over when the restored service starts',
  usage_writer: 'it remembers processes of the old service',
  scheduled_backup: 'a restored service never deletes backups of the old service',
  lease: 'it says which process of the old service works on something',
};

/** Files of the data folder by name, and why. All others are made again, or belong to one machine. */
export const DATA_FILES: Readonly<Record<string, string>> = {
  secret: 'signs sessions and exports, and opens the secrets of webhooks; the value of `MARQUEE_SECRET` if that is set',
  'demo-keys.json': '`npm start` prints the same keys again',
};

/** Rows that a service leaves in an empty store just by running. A store with no other rows counts as empty. */
export const TRACES: ReadonlySet<string> = new Set([
  ...Object.keys(LEFT_OUT),
  'list_head',
  'change_log',
  'webhook_follower',
  'service_minute',
  'serving_process',
  'secret_digest',
  'clean_up',
]);
