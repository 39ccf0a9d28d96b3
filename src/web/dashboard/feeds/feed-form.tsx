import { type ReactNode, useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Fields } from '../../design/forms/query-fields.tsx';
import type { FeedDraft, FeedPreview } from '../../model/feeds.ts';
import { formatNumber, formatStart } from '../../model/format.ts';
import type { loader } from './feed-preview.ts';

interface Props {
  draft: FeedDraft;
  token: string;
  /** Of the page, which takes the form. */
  address: string;
  errors?: Record<string, string> | undefined;
  submit: string;
  label?: string;
  nameHint?: string;
  /** Further fields, behind the name. */
  children?: ReactNode;
}

/** Name and filters of a feed beside what they choose; with scripts that follows each change. */
export function FeedForm({ draft, token, address, errors, submit, label = 'Feed', nameHint = NAME_HINT, children }: Props) {
  const { load, data, state } = useFetcher<typeof loader>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const follow = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const fields = [...new FormData(form)].filter(([name, value]) => !OWN_FIELDS.has(name) && value !== '');
      const query = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]));
      void load(`/dashboard/feeds/preview?${query}`);
    }, PAUSE_MS);
  };
  const shown = data ?? { preview: draft.preview, errors: draft.errors };
  return (
    <PostForm
      className="query-columns"
      errors={errors}
      token={token}
      action={address}
      onChange={(event) => follow(event.currentTarget)}
      aria-label={label}
    >
      <div className="stack">
        <Field
          label="Name"
          name="feed_name"
          hint={nameHint}
          defaultValue={draft.name}
          maxLength={100}
          autoComplete="off"
          required
          error={errors?.feed_name}
        />
        {children}
        <Fields endpoint={draft.endpoint} request={draft.request} errors={{ ...draft.errors, ...errors }} />
        <p className="cluster">
          <Submit intent="save">{submit}</Submit>
          <button type="submit" className="button" formMethod="get" formAction={address} formNoValidate>
            Preview
          </button>
        </p>
      </div>
      <Preview preview={shown.preview} errors={shown.errors} isBusy={state !== 'idle'} />
    </PostForm>
  );
}

interface PreviewProps {
  preview: FeedPreview | null;
  errors: Record<string, string>;
  isBusy: boolean;
}

/** How many events match now, and the first of them. */
function Preview({ preview, errors, isBusy }: PreviewProps) {
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

const NAME_HINT = 'Calendars and readers show it as the title.';
/** Those that are not filters. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['feed_name', 'token', 'intent', 'layout', 'origins']);
/** After the last change. */
const PAUSE_MS = 400;
