
-- Who paused what a subscription charges: we, for an account that is suspended, or somebody at Stripe; null: it is charged.
alter table stripe_subscription add column paused_by text check (paused_by in ('marquee','stripe'));
