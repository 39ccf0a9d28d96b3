#!/usr/bin/env node
// The one file that an old Node must be able to read: it goes on under the Node that was installed beside it, or says in one sentence
// what is wrong, instead of failing on the program. So: no top-level await (Node 14.8), no newer syntax, and the program is loaded only
// after the check.

// The first major version that runs TypeScript files as they are and has `Temporal`.
const WANTED_MAJOR = 26;

// Read by glibc once, at the start of a process (mallopt(3), M_MMAP_THRESHOLD): blocks from this size on, in bytes, go back to the
// system when they are freed. Left to itself, glibc raises the size to 32 MB after the first large block, and a service with 100 000
// events keeps 150 MB that nobody uses.
const GIVEN_BACK = { name: 'MALLOC_MMAP_THRESHOLD_', bytes: '524288' };
const SERVING = ['serve', 'start'];
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'];

/** The same process begins once more, with the memory of a service. */
function beginAgain() {
  const args = [process.execPath].concat(process.execArgv, process.argv.slice(1));
  process.execve(process.execPath, args, Object.assign({}, process.env, { [GIVEN_BACK.name]: GIVEN_BACK.bytes }));
}

/** The Node of the package `node`, which npm installed beside this one; null where its install script did not run. */
function findInstalledNode() {
  return Promise.all([import('node:module'), import('node:fs'), import('node:path')]).then(([{ createRequire }, fs, path]) => {
    try {
      const manifest = createRequire(import.meta.url).resolve('node/package.json');
      const program = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
      return fs.existsSync(program) ? program : null;
    } catch {
      return null;
    }
  });
}

/** Runs the same words under another Node, and ends as it ends. */
function goOnUnder(program) {
  const args = process.argv.slice(1);
  // In its place where this Node can (22.15): then signals and the process id are those of the service.
  if (process.execve) return process.execve(program, [program].concat(args), process.env);
  return import('node:child_process').then(({ spawn }) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    for (const signal of SIGNALS) {
      // A terminal sends its Ctrl+C to both.
      process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
    }
    child.on('exit', (code, signal) => {
      for (const name of SIGNALS) process.removeAllListeners(name);
      if (signal) process.kill(process.pid, signal);
      else process.exitCode = code === null ? 1 : code;
    });
  });
}

function refuse() {
  process.stderr.write(
    `Marquee wants Node ${WANTED_MAJOR} or newer but was started by Node ${process.versions.node}: run \`npm ci\` (in a package ` +
      '`npm install`), which brings Node 26 along (after `--ignore-scripts`: `npm rebuild node`), and start Marquee again.\n',
  );
  process.exitCode = 1;
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
  findInstalledNode().then((program) => (program === null ? refuse() : goOnUnder(program)));
}
