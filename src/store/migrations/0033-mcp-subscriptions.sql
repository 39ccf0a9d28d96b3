-- Webhook subscriptions of MCP Events: what is told to which callback URL, and up to where it has been told.
create table mcp_subscription (
  -- Derived from the account, the URL, the type and the arguments.
  id              text primary key,
  account_id      uuid not null references account (id) on delete cascade,
  url             text not null,
  name            text not null,
  -- The filters of `GET /events` in their one form.
  query           text not null,
  -- Sealed, as the next one.
  secret          bytea not null,
  previous_secret bytea,
  previous_until  timestamptz,
  -- Everything up to this change was acknowledged or given up.
  epoch           uuid not null,
  position        bigint not null,
  -- Older changes are left out.
  not_before      timestamptz,
  state           text not null check (state in ('active', 'suspended')),
  -- Of the next occurrence; `rounds`: how often they were used up.
  attempts        integer not null default 0,
  rounds          integer not null default 0,
  due_at          timestamptz not null,
  last_error      text,
  failing_since   timestamptz,
  last_success_at timestamptz,
  -- Counts renewals, after which the secret may be another one.
  revision        integer not null default 0,
  lease_owner     uuid,
  lease_until     timestamptz,
  expires_at      timestamptz not null,
  created_at      timestamptz not null
);
create index mcp_subscription_account on mcp_subscription (account_id);
create index mcp_subscription_end on mcp_subscription (expires_at);
