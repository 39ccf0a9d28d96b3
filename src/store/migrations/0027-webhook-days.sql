-- How many messages the endpoints of an account got on a day (UTC): beyond a limit they wait for the next day.
create table webhook_day (
  account_id uuid not null references account (id) on delete cascade,
  starts_at  timestamptz not null,
  messages   integer not null,
  primary key (account_id, starts_at)
);
create index webhook_day_age on webhook_day (starts_at);
