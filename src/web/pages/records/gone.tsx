import { Link } from 'react-router';
import { useText } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import type { RemovedRecord } from '../../model/records.ts';
import { Teasers } from './related.tsx';

/** A record that was removed. Nothing of it is shown: its source, or the operator, did not want it to be. */
export function Gone({ kind, teasers }: RemovedRecord) {
  const text = useText();
  const city = useRoot()?.city.name ?? text('site.yourCity');
  return (
    <section className="column gap stack loose">
      <title>{`${text('missing.removed')} · ${city}`}</title>
      <meta name="robots" content="noindex" />
      <div className="no-show">
        <p className="no-show-number">410</p>
        <h1>{text('missing.removed')}</h1>
      </div>
      <p className="lead">{text(kind === 'event' ? 'missing.removedEvent' : 'missing.removedVenue')}</p>
      <p>
        <Link className="button primary" to="/search">
          {text('site.searchEvents')}
        </Link>
      </p>
      <Teasers id="instead" title={text('missing.instead')} teasers={teasers} />
    </section>
  );
}
