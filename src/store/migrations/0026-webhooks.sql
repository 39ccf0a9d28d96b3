-- Webhooks: the endpoints of customers, what is to be sent to them, and how each attempt went.

-- How far the change log has been turned into deliveries. `direct`: as soon as a change is committed. `matched`: once the read model
-- holds it, for endpoints with a saved query.
create table webhook_follower (
  lane     text primary key check (lane in ('direct', 'matched')),
  position bigint not null
);
insert into webhook_follower (lane, position) values ('direct', 0), ('matched', 0);

create table webhook_endpoint (
  id                   uuid primary key,
  account_id           uuid not null references account (id) on delete cascade,
  url                  text not null check (char_length(url) <= 2048),
  description          text not null check (char_length(description) <= 200),
  event_types          text[] not null check (cardinality(event_types) > 0),
  -- A row of `feed`, or one that is gone: then the endpoint stops.
  feed_id              uuid,
  payload              text not null check (payload in ('full', 'thin')),
  delivery_order       text not null check (delivery_order in ('parallel', 'fifo')),
  -- Secrets are sealed: see src/webhooks/seal.ts.
  secret               bytea not null,
  signing_key          bytea,
  previous_secret      bytea,
  previous_signing_key bytea,
  previous_until       timestamptz,
  state                text not null check (state in ('unproven', 'active', 'paused', 'stopped', 'disabled')),
  state_reason         text,
  state_at             timestamptz not null,
  challenge            text not null,
  lane                 text not null check (lane in ('direct', 'matched')),
  -- Changes up to this number are not for this endpoint.
  since_seq            bigint not null,
  -- Counts the edits that deliveries depend on: a sender that works with an older one starts over.
  revision             integer not null default 0,
  pending              integer not null default 0,
  -- When there is something to send; null: nothing waits.
  work_at              timestamptz,
  -- Nothing is sent before: the endpoint failed too often, or asked for patience.
  open_until           timestamptz,
  lease_owner          uuid,
  lease_until          timestamptz,
  -- How many requests may be under way at once: doubles with each success, 1 after a failure.
  concurrency          integer not null default 1,
  failures             integer not null default 0,
  failing_since        timestamptz,
  mails_sent           integer not null default 0,
  last_success_at      timestamptz,
  last_attempt_at      timestamptz,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  removed_at           timestamptz
);
create index webhook_endpoint_account on webhook_endpoint (account_id, id);
create index webhook_endpoint_work on webhook_endpoint (work_at) where state = 'active' and work_at is not null;

-- One message may go to several endpoints. `head` and `body` are the bytes that are signed: a thin payload is the head alone.
create table webhook_message (
  id         uuid primary key,
  type       text not null,
  entity_id  uuid,
  head       text not null,
  body       text not null,
  -- The changes that it tells of, as the log had them; null for messages that are not of the log.
  changes    jsonb,
  created_at timestamptz not null
);
create index webhook_message_record on webhook_message (entity_id, created_at) where entity_id is not null;
create index webhook_message_age on webhook_message (created_at);

-- Ids are given in the order of delivery.
create table webhook_delivery (
  id          bigint generated always as identity primary key,
  endpoint_id uuid not null references webhook_endpoint (id) on delete cascade,
  message_id  uuid not null references webhook_message (id),
  state       text not null check (state in ('pending', 'sending', 'delivered', 'failed', 'dropped')),
  attempts    integer not null default 0,
  due_at      timestamptz not null,
  finished_at timestamptz
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at, id) where state = 'pending';
create index webhook_delivery_order on webhook_delivery (endpoint_id, id) where state in ('pending', 'sending');
create index webhook_delivery_message on webhook_delivery (message_id);
create index webhook_delivery_finished on webhook_delivery (finished_at) where finished_at is not null;

create table webhook_attempt (
  id              bigint generated always as identity primary key,
  endpoint_id     uuid not null references webhook_endpoint (id) on delete cascade,
  message_id      uuid not null,
  type            text not null,
  number          integer not null,
  at              timestamptz not null,
  outcome         text not null,
  status          integer,
  detail          text,
  duration_ms     integer not null,
  request_headers jsonb not null,
  answer_headers  jsonb not null,
  answer          text not null
);
create index webhook_attempt_endpoint on webhook_attempt (endpoint_id, id);

-- What an account has been told once, such as that a day's quota is spent.
create table webhook_notice (
  account_id uuid not null references account (id) on delete cascade,
  notice     text not null,
  at         timestamptz not null,
  primary key (account_id, notice)
);
create index webhook_notice_age on webhook_notice (at);
