import type { PlaygroundEndpoint, PlaygroundInput } from '../../model/playground/endpoints.ts';
import type { ApiRequest } from '../../model/playground/lines.ts';
import { Marked } from '../code.tsx';
import { Choice, Field } from './field.tsx';
import './query-fields.css';

/** The parameters of an endpoint as a form; the contract's own first, extensions folded away until one is used. */
export function Fields({
  endpoint,
  request,
  errors,
}: {
  endpoint: PlaygroundEndpoint;
  request: ApiRequest;
  errors: Record<string, string>;
}) {
  const given = new Map(request.query);
  if (request.id) given.set('id', request.id);
  const plain = endpoint.fields.filter((field) => !isExtension(field));
  const extensions = endpoint.fields.filter(isExtension);
  const show = (field: PlaygroundInput) => (
    <One key={field.name} field={field} value={given.get(field.name) ?? ''} error={errors[field.name]} />
  );
  if (endpoint.fields.length === 0) return <p className="quiet">This endpoint takes no parameters.</p>;
  return (
    <>
      <div className="parameters">{plain.map(show)}</div>
      {extensions.length > 0 ? (
        <details className="extensions" open={extensions.some(({ name }) => given.has(name))}>
          <summary>{extensions.length} more parameters</summary>
          <div className="parameters">{extensions.map(show)}</div>
        </details>
      ) : null}
    </>
  );
}

function One({ field, value, error }: { field: PlaygroundInput; value: string; error: string | undefined }) {
  const { name, kind, words, fallback, example, required } = field;
  const hint = <Marked text={field.description.replace(/^Extension\. /, '')} />;
  if (kind === 'several') {
    const chosen = new Set(value.split(','));
    return (
      <fieldset className="field several">
        <legend>{name}</legend>
        <span className="hint">{hint}</span>
        <span className="pills">
          {words.map((word) => (
            <label key={word} className="pill">
              <input type="checkbox" name={name} value={word} defaultChecked={chosen.has(word)} />
              {word}
            </label>
          ))}
        </span>
      </fieldset>
    );
  }
  if (kind === 'one') {
    const options = [{ value: '', text: fallback ? `${fallback} (default)` : 'not set' }];
    return (
      <Choice
        label={name}
        hint={hint}
        name={name}
        defaultValue={value}
        error={error}
        options={[...options, ...words.filter((word) => word !== fallback).map((word) => ({ value: word, text: word }))]}
      />
    );
  }
  return (
    <Field
      label={name}
      hint={hint}
      error={error}
      name={name}
      defaultValue={value}
      placeholder={fallback || example}
      required={required}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

const isExtension = ({ description, required }: PlaygroundInput): boolean => !required && description.startsWith('Extension. ');
