import type { FeedPreview } from '../../model/feeds.ts';
import { formatNumber } from '../../model/format.ts';
import { formatStart } from '../../model/when.ts';

interface Props {
  preview: FeedPreview | null;
  errors: Record<string, string>;
  isBusy: boolean;
}

/** How many events match now, and the first of them. */
export function Preview({ preview, errors, isBusy }: Props) {
  return (
    <section className="query-result" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <div className="stack" aria-live="polite" aria-busy={isBusy}>
        {preview === null ? (
          <ul className="error">
            {Object.entries(errors).map(([name, error]) => (
              <li key={name}>{error}</li>
            ))}
          </ul>
        ) : (
          <>
            <p>
              <strong className="number">{formatNumber(preview.total)}</strong>{' '}
              {preview.total === 1 ? 'event matches now.' : 'events match now.'}
            </p>
            {preview.total === 0 ? <p className="no-result">No event matches. Remove a filter.</p> : null}
            <ol className="preview-list">
              {preview.events.map((event) => (
                <li key={event.id}>
                  <a href={`/events/${event.slug}`}>{event.title}</a>
                  <span className="quiet small">
                    {formatStart(event)} · {event.venue.name}
                  </span>
                </li>
              ))}
            </ol>
            {preview.total > preview.events.length && preview.events.length > 0 ? (
              <p className="quiet small">{`And ${formatNumber(preview.total - preview.events.length)} more.`}</p>
            ) : null}
          </>
        )}
      </div>
    </section>
  );
}
