import { Link } from 'react-router';
import { Moment } from '../design/moment.tsx';
import { Badge } from '../design/notice.tsx';
import { formatNumber } from '../model/format.ts';
import type { LeftNow, SubscriptionShown } from '../model/keys.ts';
import type { LiveState } from './use-live.ts';

/** The plans that are used most today. */
export function Allowances({
  title,
  subscriptions,
  more,
  left,
}: {
  title: string;
  subscriptions: readonly SubscriptionShown[];
  more: number;
  left: Readonly<Record<string, LeftNow>>;
}) {
  if (subscriptions.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="left">
      <h2 id="left">{title}</h2>
      <div className="allowances">
        {subscriptions.map((subscription) => (
          <AllowanceCard key={subscription.id} subscription={subscription} left={left[subscription.id] ?? subscription.left} />
        ))}
      </div>
      {more > 0 ? <p className="quiet">{`${formatNumber(more)} more plans were used less today.`}</p> : null}
    </section>
  );
}

/** One plan with its keys: what is left of the day and of the minute. */
function AllowanceCard({ subscription, left }: { subscription: SubscriptionShown; left: LeftNow }) {
  const { day, minute } = left;
  // A key and the one that replaces it have one name.
  const names = [...new Set(subscription.keys.map(({ name }) => name))].join(', ');
  return (
    <section className="card stack allowance" aria-label={`${names}, ${subscription.tier}`}>
      <header className="cluster spread">
        <h2>{names}</h2>
        <PlanBadge subscription={subscription} />
      </header>
      <div className="stack tight">
        <p className="cluster spread">
          <span>
            <span className="figure" data-live="day">
              {formatNumber(day.used)}
            </span>{' '}
            <span className="quiet">of {formatNumber(day.limit)} today</span>
          </span>
          <span className="quiet small">{formatNumber(day.remaining)} left</span>
        </p>
        <Meter label={`Today, ${names}`} used={day.used} limit={day.limit} />
        <p className="quiet small">
          <DayEnd left={left} />
        </p>
      </div>
      <div className="stack tight">
        <p className="cluster spread">
          <span>
            <strong data-live="minute">{formatNumber(minute.used)}</strong>{' '}
            <span className="quiet">of {formatNumber(minute.limit)} in the last 60 seconds</span>
          </span>
          <span className="quiet small">{formatNumber(minute.remaining)} left</span>
        </p>
        <Meter label={`This minute, ${names}`} used={minute.used} limit={minute.limit} />
      </div>
    </section>
  );
}

function PlanBadge({ subscription: { tier, plan, trialEndsAt, isOver } }: { subscription: SubscriptionShown }) {
  if (plan === 'inactive' || isOver) {
    return (
      <Link to="/dashboard/plans">
        <Badge kind="warn">{isOver ? 'Trial ended' : `${tier}, not active`}</Badge>
      </Link>
    );
  }
  if (plan === 'trialing')
    return (
      <Badge kind="warn">
        Trial
        {trialEndsAt ? (
          <>
            {' '}
            until <Moment at={trialEndsAt} />
          </>
        ) : null}
      </Badge>
    );
  return <Badge kind="good">{tier}</Badge>;
}

function DayEnd({ left: { day, endsAt } }: { left: LeftNow }) {
  if (day.remaining === 0) return 'Daily limit reached. The next day starts at 12:00 AM UTC.';
  if (day.used === 0) return 'No requests yet today (UTC)';
  if (endsAt === null) return 'At the rate of the last hour, today’s requests last until 12:00 AM UTC.';
  return (
    <>
      At the rate of the last hour, today’s requests run out at <Moment at={new Date(endsAt)} as="time" />.
    </>
  );
}

/** Whether the figures move by themselves; nothing where they do not. */
export function LiveMark({ state }: { state: LiveState }) {
  if (state === 'off') return null;
  return (
    <p className={`live-mark ${state}`} role="status">
      <svg viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" />
      </svg>
      {state === 'live' ? 'Live' : 'Reconnecting…'}
    </p>
  );
}

/** How much of a limit is used: a bar with its words beside it, from three quarters on in another color. */
function Meter({ label, used, limit }: { label: string; used: number; limit: number }) {
  const share = limit === 0 ? 0 : Math.min(1, used / limit);
  const kind = share >= FULL ? 'bad' : share >= NEARLY ? 'warn' : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> each in their own way
    <svg
      className={`meter ${kind}`}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={`${used} of ${limit}`}
    >
      <rect width={share * 100} height="6" />
    </svg>
  );
}

const NEARLY = 0.75;
const FULL = 1;
