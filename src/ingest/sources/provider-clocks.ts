/** What is known of the clocks of providers: each run finds it out anew, and the next begins with it. */

import { type Kysely, sql, type Transaction } from 'kysely';
import { type ClockFinding, formatClocks, type ProviderClocks } from '../../facts/index.ts';
import type { Database } from '../../store/index.ts';

/** `line`: the finding as `formatClocks` writes it. */
export type KnownClock = ClockFinding & { line: string };

export async function loadClocks(db: Kysely<Database>): Promise<KnownClock[]> {
  const rows = await db.selectFrom('provider_clock').select('clock').execute();
  return rows.map(({ clock }) => clock as unknown as KnownClock);
}

/** From now on these are known, and no others. */
export async function writeClocks(trx: Transaction<Database>, { findings }: ProviderClocks, now: number): Promise<void> {
  const lines = new Map(
    findings.map((finding) => [finding.provider, { ...finding, line: formatClocks({ findings: [finding] }) }]),
  );
  await sql`delete from provider_clock where not provider = any(${[...lines.keys()]}::text[])`.execute(trx);
  for (const [provider, clock] of lines) {
    await sql`
      insert into provider_clock (provider, clock, found_at) values (${provider}, ${JSON.stringify(clock)}::jsonb, ${new Date(now)})
      on conflict (provider) do update set clock = excluded.clock where provider_clock.clock ->> 'line' <> excluded.clock ->> 'line'`.execute(
      trx,
    );
  }
}
