import { Link } from 'react-router';
import { Notice } from '../../design/notice.tsx';

/** For accounts whose plan has no feeds: what they are and how to get them. `has`: feeds from before a downgrade. */
export function NoFeeds({ has }: { has: number }) {
  if (has > 0) {
    return (
      <Notice kind="warn" title="Your feeds have stopped.">
        Feeds need an active Enterprise plan. Their URLs return an error until you have one again; nothing is deleted.{' '}
        <Link to="/dashboard/plans">View plans</Link>
      </Notice>
    );
  }
  return (
    <section className="card stack" aria-labelledby="no-feeds">
      <h2 id="no-feeds">Feeds are part of Enterprise</h2>
      <p>A feed saves filters once. Each program then reads the same events in its own format:</p>
      <ul>
        <li>Calendars subscribe to a secret URL, and canceled events show as canceled.</li>
        <li>Websites and newsletters read RSS, Atom or JSON Feed.</li>
        <li>Maps read GeoJSON; spreadsheets read CSV.</li>
        <li>
          Your code lists feeds with <code>GET /feeds</code>.
        </li>
      </ul>
      <p>
        <Link className="button primary" to="/dashboard/plans">
          View plans
        </Link>
      </p>
    </section>
  );
}

export const nameOfForm = (form: string): string => URL_FORMS.find((each) => each.form === form)?.name ?? form;

export function FormNames({ forms }: { forms: readonly string[] }) {
  return URL_FORMS.filter(({ form }) => forms.includes(form))
    .map(({ name }) => name)
    .join(', ');
}

/** What each form of a feed is for. */
export const URL_FORMS = [
  { form: 'ics', name: 'Calendar', use: 'Google Calendar, Apple Calendar, Outlook' },
  { form: 'rss', name: 'RSS', use: 'news readers, newsletters' },
  { form: 'atom', name: 'Atom', use: 'news readers' },
  { form: 'feed.json', name: 'JSON Feed', use: 'news readers, websites' },
  { form: 'json', name: 'JSON', use: 'your code; the same body as GET /events' },
  { form: 'geojson', name: 'GeoJSON', use: 'maps' },
  { form: 'csv', name: 'CSV', use: 'spreadsheets' },
  { form: 'ndjson', name: 'NDJSON', use: 'data pipelines' },
  { form: 'jsonld', name: 'JSON-LD', use: 'search engines, linked data' },
] as const;
