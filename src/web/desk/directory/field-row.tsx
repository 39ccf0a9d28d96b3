import { Choice, Field, TextArea } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Badge } from '../../design/notice.tsx';
import type { FieldView, RejectedAction } from '../../model/desk.ts';
import { TimeText } from '../oversight/moments.tsx';

/** One field: its value, where it comes from, what other sources list, and a form to correct it. */
export function FieldRow({ view, refused }: { view: FieldView; refused: RejectedAction | undefined }) {
  const { field, label, shown, others, correction } = view;
  const isRefused = refused?.field === field;
  const id = `field-${field}`;
  // Who says the same need not be read again.
  const shownOthers = correction ? others : others.filter(({ text }) => text !== shown);
  const isUnlisted = shown === '' && shownOthers.length === 0;
  return (
    <section className="record-field" aria-labelledby={id}>
      <h3 id={id} className="cluster">
        {label} {correction ? <Badge kind="warn">corrected</Badge> : null}
      </h3>
      <p className="record-field-value">{shown === '' ? <span className="quiet">unknown</span> : brief(shown)}</p>
      <p className="quiet small">
        {correction ? <CorrectionOrigin correction={correction} /> : <SourceOrigin view={view} isUnlisted={isUnlisted} />}
      </p>
      <Others others={shownOthers} />
      <div className="cluster top">
        <details open={isRefused || undefined}>
          <summary>
            Correct <span className="visually-hidden">{label.toLowerCase()}</span>
          </summary>
          <Correction view={view} refused={isRefused ? refused : undefined} />
        </details>
        {correction ? (
          <PostForm className="cluster">
            <input type="hidden" name="field" value={field} />
            <Submit intent="revert" kind="" small>
              Revert {label.toLowerCase()}
            </Submit>
          </PostForm>
        ) : null}
      </div>
    </section>
  );
}

function CorrectionOrigin({ correction: { by, at, note, own } }: { correction: NonNullable<FieldView['correction']> }) {
  return (
    <>
      By {by}, <TimeText at={at} />
      {note ? `: ${note}` : ''}
      {own ? '' : ' (made for an event or venue that was merged into this one)'}
    </>
  );
}

function SourceOrigin({ view: { from, why }, isUnlisted }: { view: FieldView; isUnlisted: boolean }) {
  if (isUnlisted) return 'no source lists it';
  return (
    <>
      {from === '' ? '' : <strong>{from}: </strong>}
      {why}
    </>
  );
}

function Others({ others }: Pick<FieldView, 'others'>) {
  if (others.length === 0) return null;
  return (
    <ul className="others small">
      {others.map(({ source, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sources may say the same, and never move
        <li key={index}>
          <span className="quiet">{source}:</span> {text === '' ? 'nothing' : brief(text)}
        </li>
      ))}
    </ul>
  );
}

function Correction({ view, refused }: { view: FieldView; refused: RejectedAction | undefined }) {
  const { field, typed } = view;
  const value = (name: string) => refused?.typed[name] ?? typed[name] ?? '';
  const [error, noteError] = refused?.isOfNote ? [undefined, refused.error] : [refused?.error, undefined];
  return (
    <PostForm key={`${value('value')} ${value('day')} ${value('hour')}`} errors={refused && { [field]: refused.error }}>
      <input type="hidden" name="field" value={field} />
      <Inputs view={view} value={value} error={error} />
      <Field
        label="Reason (optional)"
        hint="Shown in the history."
        error={noteError}
        name="note"
        maxLength={1000}
        defaultValue={refused?.typed.note}
      />
      <div>
        <Submit intent="correct">Correct</Submit>
      </div>
    </PostForm>
  );
}

interface InputsProps {
  view: FieldView;
  value: (name: string) => string;
  error: string | undefined;
}

function Inputs({ view: { label, hint, input }, value, error }: InputsProps) {
  if (input.kind === 'moment') {
    return (
      <>
        <Field label={`${label}: day`} hint={hint} error={error} type="date" name="day" defaultValue={value('day')} />
        <Field label={`${label}: hour`} type="time" name="hour" defaultValue={value('hour')} />
      </>
    );
  }
  const common = { label, hint, error, name: 'value', defaultValue: value('value') };
  if (input.kind === 'choice') return <Choice {...common} options={input.options} />;
  if (input.kind === 'text') return <TextArea {...common} rows={6} />;
  return <Field {...common} {...(input.type && { type: input.type })} />;
}

const brief = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
const MAX_CHARS = 600;
