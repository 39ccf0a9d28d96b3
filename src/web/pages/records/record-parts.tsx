import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShareImage } from '../../../pictures/index.ts';
import { useLanguage, useText } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import type { RemovedRecord } from '../../model/records.ts';
import { reportPath } from '../../model/reports.ts';
import { Teasers } from './related.tsx';

interface ShareTagsProps {
  title: string;
  description: string;
  /** Absolute. */
  url: string;
  image: ShareImage | null;
  type: 'article' | 'website';
}

/** What messengers and networks show beside a link: Open Graph, and the two tags of its own that X needs. */
export function ShareTags({ title, description, url, image, type }: ShareTagsProps) {
  const { text } = useLanguage();
  const root = useRoot();
  return (
    <>
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={`Marquee ${root?.city.name ?? ''}`.trim()} />
      <meta property="og:locale" content={text('language.locale').replace('-', '_')} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {image ? (
        <>
          <meta property="og:image" content={`${root?.publicUrl ?? ''}${image.src}`} />
          <meta property="og:image:width" content={String(image.width)} />
          <meta property="og:image:height" content={String(image.height)} />
          <meta property="og:image:alt" content={title} />
        </>
      ) : null}
      <meta name="twitter:card" content={image ? 'summary_large_image' : 'summary'} />
    </>
  );
}

/** The request that gives what the page shows, and where to try it. */
export function AsJson({ endpoint, path, id }: { endpoint: 'getEvent' | 'getVenue'; path: '/events' | '/venues'; id: string }) {
  const text = useText();
  return (
    <footer className="record-json">
      <p className="small quiet">{text('record.api')}</p>
      <p>
        <code>
          GET /api/v1{path}/{id}
        </code>
      </p>
      <p>
        <Link to={`/playground?${new URLSearchParams({ endpoint, id })}`}>{text('record.playground')}</Link>
      </p>
    </footer>
  );
}

/** A row of what is known, in a `<dl className="facts">`; what is not known has none. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

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

/** Nothing is loaded from elsewhere: the map opens when the reader asks for it. */
export function MapLink({ latitude, longitude }: { latitude: number; longitude: number }) {
  const text = useText();
  const place = `mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  return (
    <a href={`https://www.openstreetmap.org/?${place}`} rel="nofollow noopener noreferrer">
      {text('event.openMap')}
    </a>
  );
}

/** For the pages of events and venues: the way to the form that needs no account. */
export function ReportLink({ entity, id }: { entity: 'event' | 'venue'; id: string }) {
  const text = useText();
  return (
    <p className="small">
      <a href={reportPath(entity, id)} rel="nofollow">
        {text('report.link')}
      </a>
    </p>
  );
}
