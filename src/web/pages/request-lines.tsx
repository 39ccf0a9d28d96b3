import { useId } from 'react';
import { CopyBlock } from '../design/code.tsx';
import { CODE_LANGUAGES } from '../model/playground/languages.ts';
import type { ApiRequest } from '../model/playground/lines.ts';
import '../design/forms/query-fields.css';
import './request-lines.css';

/** The request in six languages; which one is shown is chosen without scripts. */
export function RequestLines({ request }: { request: ApiRequest }) {
  const group = useId();
  return (
    <fieldset className="code-languages">
      <legend className="visually-hidden">The request as code</legend>
      {CODE_LANGUAGES.map(({ id, name }, i) => (
        <label key={id} className="pill">
          <input type="radio" name={group} value={id} defaultChecked={i === 0} form="none" />
          {name}
        </label>
      ))}
      {CODE_LANGUAGES.map(({ id, name, write }) => (
        <div key={id} className={`language-lines ${id}`}>
          <CopyBlock text={write(request)} label={`the ${name} code`} />
        </div>
      ))}
    </fieldset>
  );
}
