-- Saved queries, and the secret URLs under which they are read without a key.

-- `query`: filters and order of `GET /events`, checked and in canonical form.
create table feed (
  id         uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  name       text not null check (char_length(name) between 1 and 100),
  query      text not null check (char_length(query) <= 8000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz
);
create index feed_account on feed (account_id, id);
create index feed_removed on feed (removed_at) where removed_at is not null;

-- A row outlives its feed, so that a revoked URL keeps saying that it is gone.
create table feed_token (
  digest     bytea primary key check (octet_length(digest) = 32),
  feed_id    uuid references feed (id) on delete set null,
  form       text not null check (char_length(form) between 1 and 20),
  last4      text not null check (char_length(last4) = 4),
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index feed_token_feed on feed_token (feed_id);
create unique index feed_token_live on feed_token (feed_id, form) where revoked_at is null;
