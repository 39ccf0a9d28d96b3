-- People: who signs in, by what, and what anyone did.

-- `email_verified` says in a word what `email_verified_at` says in a moment: sign-in wants the one, the trial the other.
alter table account
  add column name text not null default '' check (char_length(name) <= 100),
  add column image text,
  add column email_verified boolean not null default false,
  add column two_factor_enabled boolean not null default false,
  add column updated_at timestamptz;
update account set email_verified = email_verified_at is not null, updated_at = created_at;
alter table account
  alter column updated_at set not null,
  add constraint account_verified check (email_verified = (email_verified_at is not null));

-- Which mailbox had its trial is remembered even when its account is gone: as a digest, which tells nobody the address.
alter table subscription rename column trial_email to trial_mailbox;
update subscription set trial_mailbox = encode(sha256(convert_to(trial_mailbox, 'UTF8')), 'hex') where trial_mailbox is not null;
alter table subscription add constraint subscription_trial_digest check (trial_mailbox ~ '^[0-9a-f]{64}$');

create table session (
  id         uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  token      text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index session_account on session (account_id);

-- What an account signs in by, beside passkeys: its password's hash.
create table credential (
  id                       uuid primary key,
  account_id               uuid not null references account (id) on delete cascade,
  provider                 text not null,
  provider_account         text not null,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz not null,
  updated_at               timestamptz not null,
  unique (provider, provider_account)
);
create index credential_account on credential (account_id);

-- Things sent to an address and waited for: each is used once.
create table verification (
  id         uuid primary key,
  identifier text not null,
  value      text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verification_identifier on verification (identifier);
create index verification_expires on verification (expires_at);

create table two_factor (
  id           uuid primary key,
  account_id   uuid not null references account (id) on delete cascade,
  secret       text not null,
  backup_codes text not null,
  verified     boolean not null default true,
  failures     integer not null default 0,
  locked_until timestamptz
);
create index two_factor_account on two_factor (account_id);

create table passkey (
  id            uuid primary key,
  account_id    uuid not null references account (id) on delete cascade,
  name          text,
  public_key    text not null,
  credential_id text not null unique,
  counter       bigint not null,
  device_type   text not null,
  backed_up     boolean not null,
  transports    text,
  aaguid        text,
  created_at    timestamptz
);
create index passkey_account on passkey (account_id);

-- Letters that are sent once: the two before a trial's end.
create table letter (
  account_id uuid not null references account (id) on delete cascade,
  kind       text not null,
  sent_at    timestamptz not null,
  primary key (account_id, kind)
);

-- What anyone did, as it was: rows are added, never changed. `actor`: an e-mail address, or what acted without a person.
create table audit (
  id         uuid primary key,
  at         timestamptz not null,
  actor_id   uuid,
  actor      text not null,
  action     text not null,
  subject    text not null,
  subject_id text,
  detail     jsonb not null default '{}' check (jsonb_typeof(detail) = 'object'),
  address    text
);
create index audit_at on audit (at, id);
create index audit_actor on audit (actor_id, at);
create index audit_subject on audit (subject, subject_id, at);
