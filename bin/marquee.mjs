#!/usr/bin/env node
// The one file that an old Node must be able to read: it says in one sentence what is wrong there, instead of failing on
// TypeScript. So: no top-level await (Node 14.8), no newer syntax, and the program is loaded only after the check.

// The first major version that runs TypeScript files as they are and has `Temporal`.
const WANTED_MAJOR = 26;

// Read by glibc once, at the start of a process (mallopt(3), M_MMAP_THRESHOLD): blocks from this size on, in bytes, go back to the
// system when they are freed. Left to itself, glibc raises the size to 32 MB after the first large block, and a service with 100 000
// events keeps 150 MB that nobody uses.
const GIVEN_BACK = { name: 'MALLOC_MMAP_THRESHOLD_', bytes: '524288' };
const SERVING = ['serve', 'start'];

/** The same process begins once more, with the memory of a service. */
function beginAgain() {
  const args = [process.execPath].concat(process.execArgv, process.argv.slice(1));
  process.execve(process.execPath, args, Object.assign({}, process.env, { [GIVEN_BACK.name]: GIVEN_BACK.bytes }));
}

if (Number(process.versions.node.split('.')[0]) >= WANTED_MAJOR) {
  if (process.platform === 'linux' && SERVING.includes(process.argv[2]) && !(GIVEN_BACK.name in process.env)) beginAgain();
  // Compiled code is kept between starts, which halves the time of a short command; threads and processes of this one find the
  // folder in the environment.
  import('node:module')
    .then(({ enableCompileCache }) => enableCompileCache())
    .then(({ directory }) => {
      if (directory && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = directory;
    })
    .then(() => import('../src/cli.ts'))
    .then(({ run }) => run(process.argv.slice(2)))
    .then((code) => {
      process.exitCode = code;
    });
} else {
  process.stderr.write(
    `Marquee wants Node ${WANTED_MAJOR} or newer but was started by Node ${process.versions.node}: run \`npm ci\`, ` +
      'which brings Node 26 along (after `npm ci --ignore-scripts`: `npm rebuild node`), and start Marquee through npm ' +
      '(`npm start`, `npm run marquee -- <command>`).\n',
  );
  process.exitCode = 1;
}
