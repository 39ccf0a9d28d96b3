import { Field } from '../../design/forms/field.tsx';
import type { EmbedDraft } from '../../model/feeds.ts';
import { FeedForm } from '../feeds/feed-form.tsx';

interface Props {
  draft: EmbedDraft;
  token: string;
  address: string;
  errors?: Record<string, string> | undefined;
  submit: string;
}

/** Name, layout and sites of an embed, with the filters and the preview of feeds. */
export function EmbedForm({ draft, errors, ...rest }: Props) {
  return (
    <FeedForm draft={draft} errors={errors} label="Embed" nameHint="Readers see it as the title." {...rest}>
      <fieldset>
        <legend>Layout</legend>
        {LAYOUTS.map(({ value, label }) => (
          <label key={value} className="choice">
            <input type="radio" name="layout" value={value} defaultChecked={draft.layout === value} /> {label}
          </label>
        ))}
      </fieldset>
      <Field
        label="Sites (optional)"
        name="origins"
        hint="Only these sites may show the list, such as https://example.com. Empty: all sites."
        defaultValue={draft.origins}
        maxLength={2_000}
        autoComplete="off"
        error={errors?.origins}
      />
    </FeedForm>
  );
}

const LAYOUTS = [
  { value: 'list', label: 'List' },
  { value: 'map', label: 'Map' },
  { value: 'calendar', label: 'Calendar' },
] as const;
