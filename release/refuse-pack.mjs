// `npm pack` at the root would pack TypeScript, which Node does not run below `node_modules`, and nothing to show as pages.
process.stderr.write('The package is built first: run `npm run package` instead, which ends with `npm pack` on what it built.\n');
process.exitCode = 1;
