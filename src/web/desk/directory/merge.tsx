import { Form, Link } from 'react-router';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { Entity, MergeCandidate, RejectedAction } from '../../model/desk/record.ts';

/** Look for the other one, then say that they are one. */
export function Merge({ entity, id, query, candidates, token, refused }: Props) {
  return (
    <div className="stack">
      <search>
        <Form className="form inline seek" action={`/desk/${entity}s/${id}`} preventScrollReset>
          <Field
            label={`The other ${entity}`}
            hint="Words of the title, the slug or the object ID"
            name="merge"
            defaultValue={query}
            maxLength={200}
          />
          <button type="submit" className="button">
            Find
          </button>
        </Form>
      </search>
      {refused?.intent === 'merge' ? (
        <p className="field" role="alert">
          <span className="error">{refused.error}</span>
        </p>
      ) : null}
      {query !== '' && candidates.length === 0 ? <p className="quiet">No other record matches.</p> : null}
      {candidates.length > 0 ? (
        <ul className="candidates">
          {candidates.map((candidate) => (
            <li key={candidate.id} className="cluster spread">
              <span>
                <Link to={`/desk/${entity}s/${candidate.id}`}>{candidate.title}</Link>
                <br />
                <span className="quiet small">{candidate.detail}</span>
              </span>
              <PostForm className="cluster" token={`${token} ${candidate.id.slice(-12)}`}>
                <input type="hidden" name="other" value={candidate.id} />
                <Submit intent="merge" kind="" small>
                  Merge <span className="visually-hidden">with {candidate.title}</span>
                </Submit>
              </PostForm>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="quiet small">
        The older record keeps its id, and the other id redirects to it. You can undo this in the history.
      </p>
    </div>
  );
}

interface Props {
  entity: Entity;
  id: string;
  query: string;
  candidates: readonly MergeCandidate[];
  token: string;
  refused: RejectedAction | undefined;
}
