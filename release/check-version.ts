/** Whether the project may be released as it is, and what its changelog says of the version. */

export interface ProjectState {
  version: string;
  changelog: string;
  /** Lines of `git status --porcelain`. */
  changedFiles: readonly string[];
  /** Versions that were released, without `v`. */
  released: readonly string[];
}

/** One sentence for each reason against a release. */
export function findObstacles({ version, changelog, changedFiles, released }: ProjectState): string[] {
  const obstacles: string[] = [];
  if (!VERSION.test(version)) obstacles.push(`the version in package.json must be like 1.2.3, but is "${version}"`);
  if (released.includes(version)) obstacles.push(`version ${version} was released before; raise "version" in package.json`);
  const newer = released.find((each) => compareVersions(each, version) > 0);
  if (newer !== undefined) obstacles.push(`version ${version} is older than the released ${newer}`);
  if (sectionOf(changelog, version) === '') obstacles.push(`CHANGELOG.md needs lines under "## [${version}] - ${DATE_FORM}"`);
  if (sectionOf(changelog, 'Unreleased') !== '')
    obstacles.push(`CHANGELOG.md has lines under [Unreleased]; move them to [${version}]`);
  if (changedFiles.length > 0) obstacles.push(`commit ${changedFiles.length} changed files first`);
  return obstacles;
}

/** The text below the heading of a version; empty if there is none. */
export function sectionOf(changelog: string, version: string): string {
  const lines = changelog.split('\n');
  const heading = new RegExp(`^## \\[${RegExp.escape(version)}\\](?: - \\d{4}-\\d\\d-\\d\\d)?$`);
  const start = lines.findIndex((line) => heading.test(line));
  if (start < 0) return '';
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join('\n')
    .trim();
}

/** Positive if `left` is newer. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return differs < 0 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0);
}

const VERSION = /^\d+\.\d+\.\d+$/;
const DATE_FORM = 'YYYY-MM-DD';
