import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { HistoryView } from '../../model/desk/record.ts';
import { TimeText } from '../oversight/moments.tsx';

/** What happened, the newest first; an active decision of an operator can be undone. */
export function History({ entries, token }: { entries: readonly HistoryView[]; token: string }) {
  if (entries.length === 0) return <p className="quiet">No history yet.</p>;
  return (
    <ol className="history">
      {entries.map(({ key, at, what, by, note, changes, act }) => (
        <li key={key}>
          <p className="quiet small">
            <TimeText at={at} /> ({at.away}){by ? `, ${by}` : ''}
          </p>
          <p>
            {what}
            {note ? <span className="quiet">: {note}</span> : null}
          </p>
          {changes.map(({ field, before, after }) => (
            <p key={field} className="small">
              <strong>{field}</strong>: <del>{before === '' ? 'nothing' : before}</del> →{' '}
              <ins>{after === '' ? 'nothing' : after}</ins>
            </p>
          ))}
          {act ? (
            <PostForm className="cluster" token={`${token} ${key}`}>
              <input type="hidden" name="act" value={act} />
              <Submit intent="undo" kind="" small>
                Undo
              </Submit>
            </PostForm>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
