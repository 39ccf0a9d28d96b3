import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { DAY_MS } from '../../../values/duration.ts';
import { Moment } from '../../design/moment.tsx';

/** `now`: the service's time when the page was made; from there on the page counts by itself. */
export function TrialBanner({ state, endsAt, now }: { state: 'running' | 'ended'; endsAt: Date; now: number }) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setPassed(performance.now() - start), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const left = endsAt.getTime() - now - passed;
  const isOver = state === 'ended' || left <= 0;
  return (
    <section className={`trial ${isOver ? 'over' : left < DAY_MS ? 'soon' : ''}`} aria-label="Your trial">
      <div className="column cluster spread">
        <p>
          {isOver ? (
            <>
              <strong>Your trial has ended.</strong> Requests with your trial key return 402. Your key and settings are kept.
            </>
          ) : (
            <>
              <strong>
                Trial: <span className="number">{inWords(left)}</span> left.
              </strong>{' '}
              It ends <Moment at={endsAt} />. Then requests with your trial key return 402, and nothing is charged.
            </>
          )}
        </p>
        <Link className="button small" to="/dashboard/plans">
          Choose a plan
        </Link>
      </div>
    </section>
  );
}

/** For another account of a mailbox that has had its trial. */
export function NoTrialBanner() {
  return (
    <section className="trial over" aria-label="Your trial">
      <div className="column cluster spread">
        <p>
          <strong>This account has no trial.</strong> Each mailbox has one, and yours had it with another account. Sign in with
          the address of that account, or choose a plan for this one.
        </p>
        <Link className="button small" to="/dashboard/plans">
          Choose a plan
        </Link>
      </div>
    </section>
  );
}

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return hours > 0 ? `${count(days, 'day')} ${count(hours, 'hour')}` : count(days, 'day');
  return hours > 0 ? `${count(hours, 'hour')} ${count(minutes % 60, 'minute')}` : count(minutes, 'minute');
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

const MINUTE_MS = 60_000;
const TICK_MS = 30_000;
