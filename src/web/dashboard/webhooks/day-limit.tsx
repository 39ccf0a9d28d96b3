import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';

/** Why nothing is sent for the rest of the day. */
export function DayLimit({ until }: { until: Date }) {
  return (
    <Notice kind="warn" title="Your endpoints are paused until midnight UTC">
      Your account had 1,000,000 messages today (UTC). Further messages wait, and Marquee sends them from <Moment at={until} />{' '}
      on.
    </Notice>
  );
}
