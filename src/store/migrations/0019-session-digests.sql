-- The store keeps no token of a session: whoever reads a copy of it cannot take a session over. Sessions go on, as digests of their tokens.
update session set token = encode(sha256(convert_to(token, 'UTF8')), 'hex');
alter table session add constraint session_token_digest check (token ~ '^[0-9a-f]{64}$');

-- Proton ignores `.`, `-` and `_` and knows one mailbox by four hosts; iCloud knows one by three. Trials of open accounts move to the digest of
-- the folded mailbox. If two accounts of one mailbox have had a trial each, the second keeps its old digest: a mailbox stands here once.
with trial as (
  select
    subscription.id,
    subscription.created_at,
    split_part(split_part(email_lower, '@', 1), '+', 1) as name,
    split_part(email_lower, '@', 2) as host
  from subscription join account on account.id = subscription.account_id
  where subscription.trial_mailbox is not null
), folded as (
  select id, created_at, encode(sha256(convert_to(mailbox, 'UTF8')), 'hex') as digest
  from trial, lateral (select case
    when name = '' then null
    when host in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then translate(name, '._-', '') || '@proton.me'
    when host in ('icloud.com', 'me.com', 'mac.com') then name || '@icloud.com'
  end as mailbox) as one
  where mailbox is not null
)
update subscription set trial_mailbox = first.digest
  from (select distinct on (digest) id, digest from folded order by digest, created_at, id) as first
  where subscription.id = first.id
    and not exists (select from subscription as other where other.trial_mailbox = first.digest);

-- How many trials began from a network on a day (UTC), for all processes together.
create table trial_network (
  network text not null,
  day     date not null,
  trials  integer not null check (trials > 0),
  primary key (network, day)
);
