-- Workers run what is due by their own timers; the queue of a library that was used as a lock goes.
drop schema if exists pgboss cascade;
