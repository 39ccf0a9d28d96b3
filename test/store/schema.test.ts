import { type SelectType, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/store/index.ts';
import { describeEachEngine, openTestStore, type TestStore } from '../support/store.ts';

/** How PostgreSQL may name a column that arrives as this type. */
type SqlName<T> = T extends Date
  ? 'timestamptz'
  : T extends boolean
    ? 'bool'
    : T extends number
      ? 'float8' | 'float4' | 'int2' | 'int4'
      : T extends string
        ? 'text' | 'uuid' | 'int8' | 'numeric' | 'date'
        : T extends string[]
          ? '_text'
          : T extends Buffer
            ? 'bytea'
            : 'jsonb';
type Column<T> = null extends T ? `${SqlName<NonNullable<T>>} or null` : SqlName<T>;

/** The types hold this list to `schema.ts`, the test below holds it to the SQL. */
const TABLES: { [T in keyof Database]: { [C in keyof Database[T]]-?: Column<SelectType<Database[T][C]>> } } = {
  city: {
    only_row: 'bool',
    slug: 'text',
    name: 'text',
    timezone: 'text',
    currency: 'text',
    locale: 'text',
    latitude: 'float8',
    longitude: 'float8',
  },
  account: {
    id: 'uuid',
    email: 'text',
    email_lower: 'text',
    email_verified_at: 'timestamptz or null',
    default_tier: 'text or null',
    status: 'text',
    is_operator: 'bool',
    created_at: 'timestamptz',
    name: 'text',
    image: 'text or null',
    email_verified: 'bool',
    two_factor_enabled: 'bool',
    updated_at: 'timestamptz',
  },
  access_change: { seq: 'int8', at: 'timestamptz', subscription_id: 'uuid' },
  change: { seq: 'int8', at: 'timestamptz', kind: 'text', entity: 'text', entity_id: 'uuid or null' },
  source: {
    id: 'uuid',
    name: 'text',
    kind: 'text',
    location: 'text or null',
    mapping: 'jsonb or null',
    every_seconds: 'int4 or null',
    trust: 'float4',
    last_run_at: 'timestamptz or null',
    last_error: 'text or null',
    created_at: 'timestamptz',
    state: 'text',
    fence: 'int8',
    release: 'bool',
    failures: 'int4',
    retry_at: 'timestamptz or null',
    last_ok_at: 'timestamptz or null',
    etag: 'text or null',
    last_modified: 'text or null',
  },
  provider_clock: { provider: 'text', clock: 'jsonb', found_at: 'timestamptz' },
  lease: { name: 'text', token: 'int8', until: 'timestamptz' },
  run: {
    id: 'uuid',
    source_id: 'uuid or null',
    kind: 'text',
    state: 'text',
    started_at: 'timestamptz',
    finished_at: 'timestamptz or null',
    report: 'jsonb or null',
    error: 'text or null',
  },
  run_record: { run_id: 'uuid', record_id: 'uuid', before: 'jsonb or null' },
  question: {
    id: 'uuid',
    kind: 'text',
    left_id: 'uuid',
    right_id: 'uuid',
    score: 'float4',
    evidence: 'jsonb',
    asked_at: 'timestamptz',
    settled_at: 'timestamptz or null',
  },
  list_head: { list: 'text', seq: 'int8' },
  api_key: {
    id: 'text',
    subscription_id: 'uuid',
    name: 'text',
    secret_hash: 'bytea',
    last4: 'text',
    created_at: 'timestamptz',
    expires_at: 'timestamptz or null',
    revoked_at: 'timestamptz or null',
    last_used_at: 'timestamptz or null',
    form: 'text or null',
  },
  score_history: { event_id: 'uuid', day: 'date', discovery_score: 'int2', coverage: 'float4 or null' },
  usage_day: { subscription_id: 'uuid', day: 'date', requests: 'int8' },
  usage_hour: { key_id: 'text', hour: 'timestamptz', endpoint: 'text', status: 'int2', requests: 'int8' },
  usage_detail: { key_id: 'text', day: 'date', endpoint: 'text', status: 'int2', requests: 'int8' },
  usage_writer: { id: 'uuid', batch: 'int8', at: 'timestamptz' },
  signal: { event_id: 'uuid', kind: 'text', observed_at: 'timestamptz', value: 'float8' },
  subscription: {
    id: 'uuid',
    account_id: 'uuid',
    tier: 'text',
    status: 'text',
    trial_ends_at: 'timestamptz or null',
    trial_mailbox: 'text or null',
    created_at: 'timestamptz',
  },
  decision: {
    id: 'uuid',
    kind: 'text',
    left_id: 'uuid',
    right_id: 'uuid',
    verdict: 'text',
    decided_by: 'text',
    decided_at: 'timestamptz',
    revoked_at: 'timestamptz or null',
    note: 'text or null',
  },
  neighborhood: {
    id: 'uuid',
    slug: 'text',
    name: 'text',
    description: 'text or null',
    latitude: 'float8',
    longitude: 'float8',
    geometry: 'jsonb',
    updated_at: 'timestamptz',
  },
  provenance: { record_id: 'uuid', fields: '_text', decided_at: 'timestamptz' },
  venue: {
    id: 'uuid',
    slug: 'text',
    name: 'text',
    type: 'text',
    address: 'text or null',
    latitude: 'float8',
    longitude: 'float8',
    capacity_tier: 'text or null',
    is_verified: 'bool',
    neighborhood: 'text or null',
    website: 'text or null',
    parking: 'text or null',
    transit_nearby: '_text',
    opening_hours: 'jsonb or null',
    state: 'text',
    merged_into: 'uuid or null',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  record: {
    id: 'uuid',
    source_id: 'uuid',
    kind: 'text',
    external_id: 'text',
    event_id: 'uuid or null',
    venue_id: 'uuid or null',
    content_hash: 'text',
    listing: 'jsonb',
    first_seen_at: 'timestamptz',
    last_seen_at: 'timestamptz',
    gone_at: 'timestamptz or null',
    own_id: 'uuid or null',
    facts: 'jsonb or null',
    night: 'date or null',
    starts_at: 'timestamptz or null',
  },
  event: {
    id: 'uuid',
    slug: 'text',
    title: 'text',
    category: 'text',
    starts_at: 'timestamptz',
    ends_at: 'timestamptz or null',
    description: 'text or null',
    image_url: 'text or null',
    is_free: 'bool',
    price_min: 'numeric or null',
    price_max: 'numeric or null',
    venue_id: 'uuid',
    status: 'text',
    performers: '_text',
    tags: '_text',
    sources: '_text',
    discovery_score: 'int2',
    scored_at: 'timestamptz',
    state: 'text',
    merged_into: 'uuid or null',
    precision: 'text',
    run: 'text',
    showing: 'int4',
    unconfirmed_since: 'timestamptz or null',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  session: {
    id: 'uuid',
    account_id: 'uuid',
    token: 'text',
    expires_at: 'timestamptz',
    ip_address: 'text or null',
    user_agent: 'text or null',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  credential: {
    id: 'uuid',
    account_id: 'uuid',
    provider: 'text',
    provider_account: 'text',
    password: 'text or null',
    access_token: 'text or null',
    refresh_token: 'text or null',
    id_token: 'text or null',
    access_token_expires_at: 'timestamptz or null',
    refresh_token_expires_at: 'timestamptz or null',
    scope: 'text or null',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  verification: {
    id: 'uuid',
    identifier: 'text',
    value: 'text',
    expires_at: 'timestamptz',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  two_factor: {
    id: 'uuid',
    account_id: 'uuid',
    secret: 'text',
    backup_codes: 'text',
    verified: 'bool',
    failures: 'int4',
    locked_until: 'timestamptz or null',
  },
  passkey: {
    id: 'uuid',
    account_id: 'uuid',
    name: 'text or null',
    public_key: 'text',
    credential_id: 'text',
    counter: 'int8',
    device_type: 'text',
    backed_up: 'bool',
    transports: 'text or null',
    aaguid: 'text or null',
    created_at: 'timestamptz or null',
  },
  letter: { account_id: 'uuid', kind: 'text', sent_at: 'timestamptz' },
  audit: {
    id: 'uuid',
    at: 'timestamptz',
    actor_id: 'uuid or null',
    actor: 'text',
    action: 'text',
    subject: 'text',
    subject_id: 'text or null',
    detail: 'jsonb',
    address: 'text or null',
  },
  plan_request: {
    id: 'uuid',
    subscription_id: 'uuid',
    tier: 'text or null',
    state: 'text',
    asked_at: 'timestamptz',
    settled_at: 'timestamptz or null',
    settled_by: 'text or null',
    note: 'text or null',
  },
  stripe_customer: { id: 'text', account_id: 'uuid or null', created_at: 'timestamptz' },
  stripe_checkout: {
    id: 'uuid',
    subscription_id: 'uuid',
    tier: 'text',
    session: 'text or null',
    url: 'text or null',
    state: 'text',
    created_at: 'timestamptz',
  },
  stripe_subscription: {
    id: 'text',
    subscription_id: 'uuid',
    status: 'text',
    tier: 'text or null',
    period_ends_at: 'timestamptz or null',
    ends_at: 'timestamptz or null',
    version: 'int4',
    created_at: 'timestamptz',
    seen_at: 'timestamptz',
  },
  stripe_event: { id: 'text', type: 'text', at: 'timestamptz' },
  old_slug: { kind: 'text', slug: 'text', event_id: 'uuid or null', venue_id: 'uuid or null' },
};

const VENUE_ID = '01900000-0000-7000-8000-000000000001';
const EVENT_ID = '01900000-0000-7000-8000-000000000002';

describeEachEngine('the tables', (engine) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore(engine);
  });
  afterAll(() => opened.dispose());

  test('are those of schema.ts, column for column', async () => {
    const { rows } = await sql<{ table_name: string; column_name: string; type: string }>`
      select table_name, column_name, udt_name || case is_nullable when 'YES' then ' or null' else '' end as type
      from information_schema.columns where table_schema = 'public' and table_name <> 'migration'`.execute(opened.store.db);
    const found: Record<string, Record<string, string>> = {};
    for (const { table_name, column_name, type } of rows) {
      found[table_name] = { ...found[table_name], [column_name]: type };
    }
    expect(found).toEqual(TABLES);
  });

  test('have an index for every reference, so that no removal reads a whole table', async () => {
    const { rows } = await sql`
      select conrelid::regclass::text as table, conname from pg_constraint
      where contype = 'f' and not exists (
        select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`.execute(opened.store.db);
    expect(rows).toEqual([]);
  });

  test.each([
    ['a free event with a price', { is_free: true, price_min: 0, price_max: 5 }],
    ['a free event without prices', { is_free: true }],
    ['a price range upside down', { price_min: 5, price_max: 4 }],
    ['a negative price', { price_min: -1 }],
    ['a price that is no number', { price_max: 'NaN' }],
    ['an end before the start', { ends_at: '2026-10-31T00:00:00Z' }],
    ['a start at no time', { starts_at: 'infinity' }],
    ['an unknown category', { category: 'Concert' }],
    ['an unknown status', { status: 'gone' }],
    ['a merged event without survivor', { state: 'merged' }],
    ['a published event with a survivor', { merged_into: EVENT_ID }],
    ['a tag that is null', { tags: sql`array[null]::text[]` }],
    ['a title of 301 letters', { title: 'x'.repeat(301) }],
    ['a slug with a space', { slug: 'a b' }],
    ['a score above 100', { discovery_score: 101 }],
    ['a venue that does not exist', { venue_id: '01900000-0000-7000-8000-00000000ffff' }],
  ])('do not take %s', async (_, wrong) => {
    await expect(writeEvent(wrong)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  });

  test('take the event that those were made of', async () => {
    await writeEvent({});
  });

  /** In a transaction that never commits. */
  async function writeEvent(wrong: object): Promise<void> {
    const done = new Error('rolled back');
    const written = opened.store.db.transaction().execute(async (trx) => {
      const at = '2026-11-01T00:00:00Z';
      await trx
        .insertInto('venue')
        .values({
          ...{ id: VENUE_ID, slug: 'hall', name: 'Hall', type: 'theater', latitude: 1, longitude: 2, is_verified: true },
          ...{ created_at: at, updated_at: at },
        })
        .execute();
      const event = {
        ...{ id: EVENT_ID, slug: 'show', title: 'Show', category: 'concert', starts_at: at, is_free: false, venue_id: VENUE_ID },
        ...{ discovery_score: 50, scored_at: at, created_at: at, updated_at: at },
      };
      await trx
        .insertInto('event')
        .values({ ...event, ...wrong })
        .execute();
      throw done;
    });
    await written.catch((error) => {
      if (error !== done) throw error;
    });
  }
});
