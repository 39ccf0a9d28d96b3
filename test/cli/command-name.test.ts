// One engine is enough: nothing here needs a database.
import { expect, it } from 'vitest';
import { commandName } from '../../src/cli.ts';
import { printWelcome } from '../../src/start/start-service.ts';

const CHECKOUT = '/home/ada/marquee';
const PACKAGE = '/srv/city/node_modules/marquee';
const GLOBAL = '/usr/lib/node_modules/marquee';
const npm = (command: string, root: string) => ({ npm_command: command, npm_package_json: `${root}/package.json` });

it.each([
  ['npm start in a checkout', npm('start', CHECKOUT), `${CHECKOUT}/bin/marquee.mjs`, CHECKOUT, 'npm run marquee --'],
  ['node in a checkout', {}, `${CHECKOUT}/bin/marquee.mjs`, CHECKOUT, 'npm run marquee --'],
  ['npx in a project', npm('exec', '/srv/city'), '/srv/city/node_modules/.bin/marquee', PACKAGE, 'npx marquee'],
  ['a script of a project', npm('run-script', '/srv/city'), '/srv/city/node_modules/.bin/marquee', PACKAGE, 'npx marquee'],
  ['the link of a project', {}, '/srv/city/node_modules/.bin/marquee', PACKAGE, 'npx marquee'],
  ['node in a project', {}, `${PACKAGE}/bin/marquee.mjs`, PACKAGE, 'npx marquee'],
  ['an installation for all', {}, '/usr/bin/marquee', GLOBAL, 'marquee'],
])('started by %s, commands are printed as they are typed there', (_, env, program, root, expected) => {
  expect(commandName(env, program, root)).toBe(expected);
});

it('the welcome names commands as they are typed', () => {
  const lines: string[] = [];
  const keys = { starter: 'a', growth: 'b', enterprise: 'c' };
  printWelcome((line) => lines.push(line), { link: null, url: 'http://127.0.0.1:3000', keys, command: 'npx marquee' });
  expect(lines.join('\n')).toContain('  npx marquee account create --email you@example.org --operator');
  expect(lines.join('\n')).not.toContain('npm run');
});
