/** Data folders that are none, or not whole: the start is refused in one sentence, and not a byte is changed. */

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { startService } from '../support/rigs/service.ts';
import type { Context } from './context.ts';
import { EMBEDDED, type Experiment, openVerdict } from './experiment.ts';

interface Folder {
  name: string;
  /** Spoils a good data folder, or gives another one. */
  spoil(folder: string, context: Context): Promise<string | undefined> | string | undefined;
}

export const badDataFolders: Experiment = {
  name: 'bad data folders',
  engines: EMBEDDED,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    for (const { name, spoil } of FOLDERS) {
      const { folder: good, remove } = await copyDemoFolder();
      context.onClose(remove);
      const folder = (await spoil(good, context)) ?? good;
      const files = filesIn(folder);
      const before = digestOf(files);
      const refusal = await startRefused(folder);
      verdict.require(refusal !== null, `a folder ${name} was taken`);
      const lines = refusal?.split('\n').length ?? 0;
      verdict.require(lines <= MAX_LINES, `a folder ${name} was refused in ${lines} lines`);
      // A lock may be new beside them.
      verdict.require(digestOf(files) === before, `a folder ${name} was changed`);
    }
    return { figures: `${FOLDERS.length} folders: ${FOLDERS.map(({ name }) => name).join(', ')}`, failures: verdict.failures };
  },
};

const FOLDERS: readonly Folder[] = [
  {
    name: 'without PG_VERSION',
    spoil: (folder) => {
      rmSync(join(folder, 'database', 'PG_VERSION'));
      return undefined;
    },
  },
  {
    name: 'with files of others',
    spoil(_folder, context) {
      const { folder, remove } = temporaryFolder();
      context.onClose(remove);
      mkdirSync(join(folder, 'database'));
      writeFileSync(join(folder, 'database', 'holiday.jpg'), 'a picture');
      writeFileSync(join(folder, 'letter.txt'), 'Dear all');
      return folder;
    },
  },
  {
    name: 'copied while a service ran on it',
    async spoil(_folder, context) {
      const service = await context.start();
      const [made] = await context.makeKeys(1);
      if (!made) throw new Error('no key');
      const { folder, remove } = temporaryFolder();
      context.onClose(remove);
      const copy = join(folder, 'copy');
      cpSync(context.folder, copy, { recursive: true, filter: (path) => !path.includes('.s.PGSQL') });
      await service.kill();
      return copy;
    },
  },
  {
    name: 'with rubbish as owner.lock',
    spoil: (folder) => {
      writeFileSync(join(folder, 'owner.lock'), 'rubbish '.repeat(1_000));
      return undefined;
    },
  },
  {
    name: 'with an empty secret',
    spoil: (folder) => {
      writeFileSync(join(folder, 'secret'), '');
      return undefined;
    },
  },
];

/** What a start printed that was refused; null for one that was not. */
async function startRefused(folder: string): Promise<string | null> {
  try {
    const service = await startService(['serve'], { MARQUEE_DATA_DIR: folder });
    await service.stop();
    return null;
  } catch (error) {
    return (error as Error).message.replace(/^.*?before it listened: /, '').trimEnd();
  }
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Of all bytes; a file that is gone counts, too. */
function digestOf(files: readonly string[]): string {
  const digest = createHash('sha256');
  for (const file of files) digest.update(existsSync(file) ? readFileSync(file) : 'gone');
  return digest.digest('hex');
}

const MAX_LINES = 2;
