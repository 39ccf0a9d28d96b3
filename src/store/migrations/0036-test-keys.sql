-- Test keys: a subscription that is no plan. An account has one of each tier, so that its test keys of a tier share one counter.
alter table subscription drop constraint subscription_status_check;
alter table subscription add constraint subscription_status_check check (status in ('trialing','active','inactive','test'));
create unique index subscription_one_test on subscription (account_id, tier) where status = 'test';
