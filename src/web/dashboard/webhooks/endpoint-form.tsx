import { useId } from 'react';
import { Choice, Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { RefusedWebhookForm } from '../../model/webhooks.ts';

export interface FormFacts {
  types: readonly { name: string; says: string }[];
  feeds: readonly { id: string; name: string }[];
}

interface Props extends FormFacts {
  draft: RefusedWebhookForm['draft'];
  errors: Record<string, string> | undefined;
  token: string;
  address: string;
  submit: string;
}

export function EndpointForm({ draft, errors, token, address, submit, types, feeds }: Props) {
  const id = useId();
  return (
    <PostForm errors={errors} token={token} action={address} aria-label="Endpoint">
      <Field
        label="URL"
        name="url"
        type="url"
        hint="A public address of your own service. A new URL must return a challenge."
        defaultValue={draft.url}
        maxLength={2048}
        autoComplete="off"
        required
        error={errors?.url}
      />
      <Field
        label="Description (optional)"
        name="description"
        defaultValue={draft.description}
        maxLength={200}
        autoComplete="off"
        error={errors?.description}
      />
      <Choice
        label="Filter"
        name="feed"
        defaultValue={draft.feedId ?? ''}
        options={filtersFor(draft.feedId, feeds)}
        hint="Choose a feed to send only its events."
        error={errors?.feed}
      />
      <Choice
        label="Payload"
        name="payload"
        defaultValue={draft.payload}
        options={[
          { value: 'full', text: 'Full: with the record and its previous values' },
          { value: 'thin', text: 'Thin: ids and names of changed fields' },
        ]}
        error={errors?.payload}
      />
      <Choice
        label="Order"
        name="order"
        defaultValue={draft.order}
        options={[
          { value: 'parallel', text: 'Parallel: fast, in any order' },
          { value: 'fifo', text: 'In order: one message at a time' },
        ]}
        error={errors?.order}
      />
      <fieldset className="field" aria-describedby={errors?.types ? `${id}-error` : undefined}>
        <legend>Event types</legend>
        {types.map(({ name, says }) => (
          <label key={name} className="choice">
            <input type="checkbox" name="types" value={name} defaultChecked={draft.eventTypes.includes(name)} />
            <span>
              <code>{name}</code> <small className="quiet">{says}</small>
            </span>
          </label>
        ))}
        {errors?.types ? (
          <span className="error" id={`${id}-error`}>
            {errors.types}
          </span>
        ) : null}
      </fieldset>
      <label className="choice">
        <input type="checkbox" name="public_key" defaultChecked={draft.publicKey} />
        <span>
          Also sign with ed25519 (<code>v1a</code>)
        </span>
      </label>
      <p>
        <Submit intent="save">{submit}</Submit>
      </p>
    </PostForm>
  );
}

/** A feed that was removed stays the choice of its endpoint, which is refused: the form does not widen the filter by itself. */
function filtersFor(chosen: string | null, feeds: FormFacts['feeds']): { value: string; text: string }[] {
  const known = [{ value: '', text: 'Everything' }, ...feeds.map(({ id: value, name: text }) => ({ value, text }))];
  const isKnown = chosen === null || known.some(({ value }) => value === chosen);
  return isKnown ? known : [...known, { value: chosen, text: 'A removed feed' }];
}
