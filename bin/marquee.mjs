#!/usr/bin/env node
// The one file that an old Node must be able to read: it says in one sentence what is wrong there, instead of failing on
// TypeScript. So: no top-level await (Node 14.8), no newer syntax, and the program is loaded only after the check.

// The first major version that runs TypeScript files as they are and has `Temporal`.
const WANTED_MAJOR = 26;

if (Number(process.versions.node.split('.')[0]) >= WANTED_MAJOR) {
  // Compiled code is kept between starts, which halves the time of a short command.
  import('node:module')
    .then(({ enableCompileCache }) => enableCompileCache())
    .then(() => import('../src/cli.ts'))
    .then(({ run }) => run(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
} else {
  process.stderr.write(
    `Marquee wants Node ${WANTED_MAJOR} or newer but was started by Node ${process.versions.node}: run \`npm ci\`, ` +
      'which brings Node 26 along, and start Marquee through npm (`npm start`, `npm run marquee -- <command>`).\n',
  );
  process.exitCode = 1;
}
