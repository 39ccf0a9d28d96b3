-- Plans: what people wish, what the operator said, and what Stripe was last seen to say.

-- A wish to change the plan of a lineage, where the operator decides. `tier` null: to end it.
create table plan_request (
  id              uuid primary key,
  subscription_id uuid not null references subscription (id) on delete cascade,
  tier            text check (tier in ('starter','growth','enterprise')),
  state           text not null default 'open' check (state in ('open','approved','declined','withdrawn')),
  asked_at        timestamptz not null,
  settled_at      timestamptz,
  settled_by      text,
  note            text check (char_length(note) <= 500),
  check ((state = 'open') = (settled_at is null))
);
create index plan_request_subscription on plan_request (subscription_id, asked_at);
create unique index plan_request_open on plan_request (subscription_id) where state = 'open';

-- Whom Stripe knows an account as. Outlives the account, so that a customer who left is removed there too.
create table stripe_customer (
  id         text primary key,
  account_id uuid unique references account (id) on delete set null,
  created_at timestamptz not null
);

-- A way to pay that was opened; its id is the idempotency key, so that whoever finds one unfinished may finish it.
create table stripe_checkout (
  id              uuid primary key,
  subscription_id uuid not null references subscription (id) on delete cascade,
  tier            text not null check (tier in ('starter','growth','enterprise')),
  session         text unique,
  url             text,
  state           text not null default 'open' check (state in ('open','done','dropped')),
  created_at      timestamptz not null
);
create index stripe_checkout_subscription on stripe_checkout (subscription_id);
create unique index stripe_checkout_open on stripe_checkout (subscription_id) where state = 'open';

-- A subscription at Stripe as it was last fetched. `version` rises with each look that was written: who looked before that looks again.
create table stripe_subscription (
  id              text primary key,
  subscription_id uuid not null references subscription (id) on delete cascade,
  status          text not null,
  tier            text check (tier in ('starter','growth','enterprise')),
  period_ends_at  timestamptz,
  ends_at         timestamptz,
  version         integer not null,
  created_at      timestamptz not null,
  seen_at         timestamptz not null
);
create index stripe_subscription_lineage on stripe_subscription (subscription_id);

create table stripe_event (
  id   text primary key,
  type text not null,
  at   timestamptz not null
);
create index stripe_event_at on stripe_event (at);
