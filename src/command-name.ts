/** How commands are typed where this process was started: what is printed for people works when it is pasted. */

import { basename, dirname, join, sep } from 'node:path';

export interface StartFacts {
  /** Of npm, if it started the process. */
  env: Readonly<Record<string, string | undefined>>;
  /** The path of the program as it was typed. */
  program: string;
  /** The root of this installation. */
  root: string;
}

/** `npm run marquee --` in a checkout, `npx marquee` in a project that has the package, `marquee` where it is installed for all. */
export function commandName({ env, program, root }: StartFacts): string {
  const isPackage = root.split(sep).includes('node_modules');
  const isOwnScript = env.npm_package_json === join(root, 'package.json') && env.npm_command !== 'exec';
  if (isOwnScript && !isPackage) return 'npm run marquee --';
  // Of npx, or of a script of the project around.
  if (env.npm_command !== undefined) return 'npx marquee';
  if (basename(program) === 'marquee') return basename(dirname(program)) === '.bin' ? 'npx marquee' : 'marquee';
  return isPackage ? 'npx marquee' : 'npm run marquee --';
}
