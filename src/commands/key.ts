/** The `key` commands: API keys without the dashboard. */

import { Command, Option } from 'commander';
import { createAccounts, type TierName } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { tierOption } from './account.ts';
import { recordCommand } from './audit.ts';
import { printTable } from './print-table.ts';

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

const accounts = (context: Context, db: Parameters<typeof createAccounts>[0]['db']) =>
  createAccounts({ db, now: context.config.clocks.directory });
