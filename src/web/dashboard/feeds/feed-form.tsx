import { type ReactNode, useEffect, useRef } from 'react';
import { useFetcher } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Fields } from '../../design/forms/query-fields.tsx';
import type { FeedDraft } from '../../model/feeds.ts';
import type { loader } from './feed-preview.ts';
import { Preview } from './preview.tsx';

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

const NAME_HINT = 'Calendars and readers show it as the title.';
/** Those that are not filters. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['feed_name', 'token', 'intent', 'layout', 'origins']);
/** After the last change. */
const PAUSE_MS = 400;
