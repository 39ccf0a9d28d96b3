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

export const nameOfForm = (form: string): string => URL_FORMS.find((each) => each.form === form)?.name ?? form;

export function FormNames({ forms }: { forms: readonly string[] }) {
  return URL_FORMS.filter(({ form }) => forms.includes(form))
    .map(({ name }) => name)
    .join(', ');
}
