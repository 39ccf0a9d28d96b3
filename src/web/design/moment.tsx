import { useSyncExternalStore } from 'react';
import { formatMoment, type MomentParts } from '../model/format.ts';

interface Props {
  at: Date;
  as?: MomentParts;
}

/**
 * A moment: in UTC as the server makes it, then on the reader's clocks with UTC beside it. Without scripts, and for a reader in UTC, it
 * stays as the server made it.
 */
export function Moment({ at, as = 'whole' }: Props) {
  const zone = useSyncExternalStore(subscribe, readZone, () => null);
  const { utc, shown } = formatMoment(at, as, zone);
  return (
    <time className="moment" dateTime={at.toISOString()}>
      {shown ? (
        <>
          <span>{shown}</span> <span className="utc">({utc})</span>
        </>
      ) : (
        <span>{utc}</span>
      )}
    </time>
  );
}

const readZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
/** A reader's zone does not change while a page is read. */
const subscribe = () => () => {};
