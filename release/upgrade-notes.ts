/** What an operator reads before an upgrade: the changes of the version, and what it does to the database. */

export interface UpgradeFacts {
  version: string;
  /** The version before; null for the first. */
  previous: string | null;
  /** Section of the changelog. */
  changes: string;
  /** Names of migrations that the version before did not have. */
  migrations: readonly string[];
}

export function formatUpgradeNotes({ version, previous, changes, migrations }: UpgradeFacts): string {
  const schema =
    migrations.length === 0
      ? 'The schema of the database stays as it is. You can go back by installing the version before.'
      : `The first start runs ${migrations.length} migrations: ${migrations.join(', ')}. To go back afterwards, restore a backup.`;
  return [
    `# Marquee ${version}: upgrade notes`,
    previous === null ? 'This is the first release.' : `The version before is ${previous}.`,
    `## Database\n\n${schema}`,
    'Read `docs/upgrading.md` for the steps: one machine, several replicas, and the way back.',
    `## Changes\n\n${changes}`,
    '',
  ].join('\n\n');
}
