/** `secret`: goes on with another secret, knowingly. */

import { Command } from 'commander';
import { acceptSecret } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { recordCommand } from './audit.ts';

export function secretCommand(context: Context): Command {
  const secret = new Command('secret').description('the secret that signs sessions and seals other secrets');
  secret
    .command('accept')
    .description('goes on with another secret than before, and says what that ends')
    .action(() =>
      context.withStore(async (store) => {
        const { dataDir, secret: setting } = context.config;
        if (!(await acceptSecret({ db: store.db, dataDir, setting })))
          return context.print('The database knows this secret already.');
        await recordCommand(context, store, { action: 'secret.accept', subject: 'secret' });
        for (const line of ACCEPTED) context.print(line);
      }),
    );
  return secret;
}

const ACCEPTED = [
  'The database knows this secret from now on. It ends:',
  '- all sessions, and links in emails that confirm an address',
  '- authenticator apps and recovery codes',
  '- webhook endpoints and MCP subscriptions by webhook: nothing is sent to them until they are removed and created again',
  '- addresses for downloads of exports that were given out in the last ten minutes; new exports are signed with another key',
  'Start all processes again, with this secret. If you accept the old secret again, all of this works as before.',
];
