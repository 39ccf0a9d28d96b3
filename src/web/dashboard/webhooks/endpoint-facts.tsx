import { Moment } from '../../design/moment.tsx';
import { formatNumber } from '../../model/format.ts';
import { StateBadge } from './endpoint-state.tsx';

interface Props {
  endpoint: {
    url: string;
    state: 'unproven' | 'active' | 'paused' | 'stopped' | 'disabled';
    failures: number;
    failingSince: Date | null;
    openUntil: Date | null;
    pending: number;
    lastSuccessAt: Date | null;
    previousUntil: Date | null;
    feedId: string | null;
  };
  feeds: readonly { id: string; name: string }[];
}

/** How an endpoint is. */
export function EndpointFacts({ endpoint, feeds }: Props) {
  const { url, state, failures, failingSince, openUntil, pending, lastSuccessAt, previousUntil, feedId } = endpoint;
  const filter = feedId === null ? 'Everything' : (feeds.find(({ id }) => id === feedId)?.name ?? 'A removed feed');
  return (
    <section className="card stack" aria-labelledby="health">
      <h2 id="health">
        Health <StateBadge state={state} failures={failures} />
      </h2>
      <dl className="key-facts">
        <Fact name="URL">
          <code>{url}</code>
        </Fact>
        <Fact name="Filter">{filter}</Fact>
        <Fact name="Messages waiting">{formatNumber(pending)}</Fact>
        <Fact name="Last delivered">{lastSuccessAt ? <Moment at={lastSuccessAt} /> : 'Never'}</Fact>
        {failingSince ? (
          <Fact name="Failing since">
            <Moment at={failingSince} />, {`${failures} attempt${failures === 1 ? '' : 's'}`}
          </Fact>
        ) : null}
        {openUntil ? (
          <Fact name="Next attempt not before">
            <Moment at={openUntil} />
          </Fact>
        ) : null}
        {previousUntil ? (
          <Fact name="Old secret signs until">
            <Moment at={previousUntil} />
          </Fact>
        ) : null}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
