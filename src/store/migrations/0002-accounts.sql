-- Who may ask, and how much: accounts, subscriptions (one per lineage of keys), keys, and what they used.

-- An address names one account in whatever case it is written. `default_tier`: what a key of this account gets when none is asked
-- for; null for accounts that begin with the trial.
create table account (
  id                uuid primary key,
  email             text not null check (char_length(email) between 3 and 254),
  email_lower       text not null unique,
  email_verified_at timestamptz,
  default_tier      text check (default_tier in ('starter','growth','enterprise')),
  status            text not null default 'active' check (status in ('active','suspended','closed')),
  is_operator       boolean not null default false,
  created_at        timestamptz not null
);

-- A lineage: a key and its rotations. It holds the tier, the quota and the state of payment.
create table subscription (
  id            uuid primary key,
  account_id    uuid not null references account (id),
  tier          text not null check (tier in ('starter','growth','enterprise')),
  status        text not null check (status in ('trialing','active','inactive')),
  trial_ends_at timestamptz,
  trial_email   text unique,
  created_at    timestamptz not null,
  check ((trial_ends_at is null) = (trial_email is null)),
  check (status <> 'trialing' or (trial_ends_at is not null and tier = 'starter'))
);
create index subscription_account on subscription (account_id);
-- One trial per account, ever; and by `trial_email`, which has lost its plus tags and Gmail's dots, one per mailbox.
create unique index subscription_one_trial on subscription (account_id) where trial_ends_at is not null;

create table api_key (
  id              text primary key check (id ~ '^[0-9A-Za-z]{12}$'),
  subscription_id uuid not null references subscription (id),
  name            text not null check (char_length(name) between 1 and 100),
  secret_hash     bytea not null unique check (octet_length(secret_hash) = 32),
  last4           text not null check (last4 ~ '^[0-9A-Za-z]{4}$'),
  created_at      timestamptz not null,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  last_used_at    timestamptz
);
create index api_key_subscription on api_key (subscription_id);

create table usage_day (
  subscription_id uuid not null references subscription (id),
  day             date not null,
  requests        bigint not null check (requests >= 0),
  primary key (subscription_id, day)
);

create table access_change (
  seq             bigint primary key,
  at              timestamptz not null,
  subscription_id uuid not null
);
