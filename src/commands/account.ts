/** `account create` and the `key` commands: access without the dashboard. */

import { Command, Option } from 'commander';
import { createAccounts, createInvite, TIER_NAMES, type TierName } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { notedAddress } from '../site-address.ts';
import { baseUrl } from '../values/base-url.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';
import { printTable } from './print-table.ts';

const tierOption = (meaning: string) => new Option('--tier <tier>', meaning).choices(TIER_NAMES);

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
  return account;
}

export function keyCommand(context: Context): Command {
  const key = new Command('key').description('API keys');
  key
    .command('create')
    .description('creates a key and prints it once')
    .requiredOption('--account <email>', 'account of the key')
    .option('--name <name>', 'name of the key')
    .addOption(tierOption('tier of the key (default: the tier of the account)'))
    .option('--test', 'a free test key, which reads the test city (default tier: starter)')
    .action((options: { account: string; name?: string; tier?: TierName; test?: true }) =>
      context.withStore(async ({ db }) => {
        const { account: email, ...rest } = options;
        const created = await accounts(context, db).createKey({ email, ...rest });
        if (!created.ok) throw new ExpectedError('refused', created.detail);
        const { id, tier } = created;
        const detail = { name: rest.name ?? null, tier, ...(rest.test && { mode: 'test' }) };
        await recordCommand(context, { db }, { action: 'key.create', subject: 'key', subjectId: id, detail });
        context.print(created.key);
      }),
    );
  key
    .command('list')
    .description('lists the keys of an account, without their secrets')
    .requiredOption('--account <email>', 'account of the keys')
    .option('--json', 'print them as JSON')
    .action((options: { account: string; json?: true }) =>
      context.withStore(async ({ db }) => {
        const listed = await accounts(context, db).listKeys(options.account);
        if (!listed.ok) throw new ExpectedError('refused', listed.detail);
        if (options.json) return context.print(JSON.stringify(listed.keys));
        const rows = listed.keys.map((key) => [
          key.id,
          key.name,
          key.plan === 'test' ? `${key.tier} (test)` : key.tier,
          key.state,
          `…${key.last4}`,
          key.createdAt.toISOString(),
          key.lastUsedAt?.toISOString() ?? 'never',
        ]);
        return printTable(context, ['id', 'name', 'tier', 'state', 'ends in', 'created', 'last used'], rows);
      }),
    );
  key
    .command('revoke')
    .description('revokes a key within a second')
    .argument('<id>', "the key's 12-letter public id")
    .action((id: string) =>
      context.withStore(async ({ db }) => {
        const revoked = await accounts(context, db).revokeKey(id);
        if (!revoked.ok) throw new ExpectedError('refused', revoked.detail);
        await recordCommand(context, { db }, { action: 'key.revoke', subject: 'key', subjectId: id });
        context.print(`revoked ${id}`);
      }),
    );
  key
    .command('rotate')
    .description('replaces a key under the same quota and prints the new key once')
    .argument('<id>', "the old key's 12-letter public id")
    .addOption(
      new Option('--grace <time>', 'how long the old key keeps working').choices(['0', '1h', '24h', '7d']).default('24h'),
    )
    .action((id: string, options: { grace: '0' | '1h' | '24h' | '7d' }) =>
      context.withStore(async ({ db }) => {
        const rotated = await accounts(context, db).rotateKey(id, options.grace);
        if (!rotated.ok) throw new ExpectedError('refused', rotated.detail);
        const detail = { grace: options.grace, into: rotated.id };
        await recordCommand(context, { db }, { action: 'key.rotate', subject: 'key', subjectId: id, detail });
        context.print(rotated.key);
      }),
    );
  return key;
}

/** Where the service is reached: the settings of a command are not always those of the service. */
function siteOf({ config: { publicUrl, dataDir, host, port } }: Context): string {
  return publicUrl ?? notedAddress(dataDir) ?? baseUrl(host, port);
}

const NO_DASHBOARD = 'This address cannot sign in to the dashboard. Use a plain e-mail address such as ada@example.org.';

const accounts = (context: Context, db: Parameters<typeof createAccounts>[0]['db']) =>
  createAccounts({ db, now: context.config.clocks.directory });
