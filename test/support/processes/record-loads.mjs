// Loaded before a program: writes the address of every module that it loads into the file LOADS_FILE.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADS_FILE, `${url}\n`);
    return next(url, context);
  },
});
