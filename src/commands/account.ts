/** The `account` commands: accounts without the dashboard. */

import { Command, Option } from 'commander';
import { createAccounts, createInvite, TIER_NAMES, type TierName } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { notedAddress } from '../site-address.ts';
import { baseUrl } from '../values/base-url.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';

export function accountCommand(context: Context): Command {
  const account = new Command('account').description('accounts');
  account
    .command('create')
    .description('creates an active account without the dashboard')
    .requiredOption('--email <email>', 'e-mail address of the owner')
    .addOption(tierOption('default tier of its keys').default('starter'))
    .option('--operator', 'may use the operator desk')
    .option('--json', 'print the account as JSON')
    .action((options: { email: string; tier: TierName; operator?: true; json?: true }) =>
      context.withStore(async ({ db }) => {
        const { email, tier, operator = false } = options;
        const created = await accounts(context, db).createAccount({ email, tier, operator });
        if (!created.ok) throw new ExpectedError('refused', created.detail);
        const { id } = created;
        const detail = { tier, operator };
        await recordCommand(context, { db }, { action: 'account.create', subject: 'account', subjectId: id, detail });
        const signInUrl = (await createInvite({ db, publicUrl: siteOf(context) }, email))?.link ?? null;
        if (options.json) return context.print(JSON.stringify({ id, email, tier, signInUrl }));
        context.print(`created ${email}, tier ${tier}`);
        // A script that only wants a key is told nothing that it did not ask for.
        if (!context.watched && !operator) return;
        context.remark(
          signInUrl ? `Open this link to choose a password (it works once, for 24 hours): ${signInUrl}` : NO_DASHBOARD,
        );
      }),
    );
  account
    .command('link')
    .description('prints a link to choose a password, for people who cannot receive e-mails')
    .requiredOption('--email <email>', 'e-mail address of the account')
    .action((options: { email: string }) =>
      context.withStore(async ({ db }) => {
        const invite = await createInvite({ db, publicUrl: siteOf(context) }, options.email);
        if (!invite)
          throw new ExpectedError('refused', `No active account with the e-mail address ${options.email} can sign in.`);
        await recordCommand(context, { db }, { action: 'account.link', subject: 'account', subjectId: invite.accountId });
        context.print(invite.link);
      }),
    );
  account
    .command('operator')
    .description('lets an account use the operator desk, or no longer')
    .requiredOption('--email <email>', 'e-mail address of the account')
    .option('--remove', 'may no longer use the operator desk')
    .action((options: { email: string; remove?: true }) =>
      context.withStore(async ({ db }) => {
        const operator = !options.remove;
        const changed = await accounts(context, db).setOperator({ email: options.email, operator });
        if (!changed.ok) throw new ExpectedError('refused', changed.detail);
        const entry = { action: 'account.operator', subject: 'account', subjectId: changed.id, detail: { operator } } as const;
        if (changed.isNew) await recordCommand(context, { db }, entry);
        context.print(`${options.email} ${operator ? 'may use the operator desk' : 'may not use the operator desk'}`);
      }),
    );
  return account;
}

/** Where the service is reached: the settings of a command are not always those of the service. */
function siteOf({ config: { publicUrl, dataDir, host, port } }: Context): string {
  return publicUrl ?? notedAddress(dataDir) ?? baseUrl(host, port);
}

const NO_DASHBOARD = 'This address cannot sign in to the dashboard. Use a plain e-mail address such as ada@example.org.';

const accounts = (context: Context, db: Parameters<typeof createAccounts>[0]['db']) =>
  createAccounts({ db, now: context.config.clocks.directory });

/** `--tier` of a command; commander refuses what is not one. */
export const tierOption = (meaning: string): Option => new Option('--tier <tier>', meaning).choices(TIER_NAMES);
