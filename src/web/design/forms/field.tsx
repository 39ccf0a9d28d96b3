import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';

interface Labelled {
  label: string;
  hint?: ReactNode;
  /** Why it cannot be taken as it is. */
  error?: string | undefined;
}

/** A line of a form: name, help and what is wrong with it belong together for every reader. */
export function Field({
  label,
  hint,
  error,
  ref,
  ...input
}: Labelled & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }) {
  const id = useId();
  return (
    <Line id={id} label={label} hint={hint} error={error}>
      <input
        id={id}
        ref={ref}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...input}
      />
    </Line>
  );
}

export function Choice({ label, hint, error, options, ...select }: Labelled & SelectProps) {
  const id = useId();
  return (
    <Line id={id} label={label} hint={hint} error={error}>
      <select id={id} aria-invalid={error ? true : undefined} aria-describedby={describedBy(id, hint, error)} {...select}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Line>
  );
}

export function TextArea({ label, hint, error, ...area }: Labelled & React.TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Line id={id} label={label} hint={hint} error={error}>
      <textarea id={id} aria-invalid={error ? true : undefined} aria-describedby={describedBy(id, hint, error)} {...area} />
    </Line>
  );
}

type SelectProps = React.SelectHTMLAttributes<HTMLSelectElement> & { options: readonly { value: string; text: string }[] };

/** Label, hint and error of a field, bound to it by its id. */
function Line({ id, label, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint ? (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      ) : null}
      {children}
      {error ? (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      ) : null}
    </div>
  );
}

function describedBy(id: string, hint: ReactNode, error: string | undefined): string | undefined {
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}
