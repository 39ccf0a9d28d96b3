import { Choice } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';

interface Props {
  feeds: readonly { id: string; name: string }[];
  columns: readonly string[];
  token: string;
  error: string | undefined;
}

/** What to export, how, and how often. */
export function ExportForm({ feeds, columns, token, error }: Props) {
  return (
    <section className="card stack" aria-labelledby="new">
      <h2 id="new">New export</h2>
      <PostForm action="/dashboard/exports" token={token} errors={error ? { form: error } : undefined}>
        <Choice
          label="Content"
          name="content"
          hint="“Everything” includes all venues and events, also past and canceled events."
          options={[{ value: 'everything', text: 'Everything' }, ...feeds.map(({ id, name }) => ({ value: id, text: name }))]}
        />
        <Choice label="Format" name="format" options={FORMATS} />
        <Choice label="Repeat" name="repeat" options={REPEATS} />
        <Choice label="Columns of events" name="columns" options={COLUMNS} />
        <details>
          <summary>Choose columns</summary>
          <fieldset className="field">
            <legend>Used with “Only the columns below”</legend>
            <div className="cluster">
              {columns.map((name) => (
                <label key={name} className="choice">
                  <input type="checkbox" name="column" value={name} defaultChecked /> {name}
                </label>
              ))}
            </div>
          </fieldset>
        </details>
        <p>
          <Submit intent="create">Create export</Submit>
        </p>
      </PostForm>
    </section>
  );
}

const FORMATS = [
  { value: 'ndjson', text: 'NDJSON: one JSON record per line' },
  { value: 'csv', text: 'CSV: for spreadsheets' },
  { value: 'geojson', text: 'GeoJSON: for maps' },
  { value: 'parquet', text: 'Parquet: for data tools' },
];
const REPEATS = [
  { value: 'once', text: 'Once' },
  { value: 'hourly', text: 'Every hour: changes, and a full export once a day' },
  { value: 'daily', text: 'Every day: a full export' },
];
const COLUMNS = [
  { value: 'all', text: 'All columns, with status and time of the last change' },
  { value: 'record', text: 'Whole records, exactly as GET /events/{id} returns them' },
  { value: 'chosen', text: 'Only the columns below' },
];
