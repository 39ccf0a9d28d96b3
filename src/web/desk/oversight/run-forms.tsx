import { Link } from 'react-router';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { FormattedMoment } from '../../model/desk/moment.ts';
import { formatNumber } from '../../model/format.ts';
import { TimeAway } from './moments.tsx';

export function UndoForm({ touched, token }: { touched: number; token: string }) {
  return (
    <section className="card stack" aria-labelledby="undo">
      <h2 id="undo">Undo this run?</h2>
      <p>
        {touched === 1 ? '1 listing returns to its' : `${formatNumber(touched)} listings return to their`} previous values. Events
        that this run created are removed (410). Everything else it changed is restored. The source is paused, so that its next
        run does not repeat the changes.
      </p>
      <PostForm className="cluster" token={token}>
        <Submit intent="undo" kind="danger">
          Undo run
        </Submit>
        <Link className="button plain" to="." preventScrollReset>
          Cancel
        </Link>
      </PostForm>
    </section>
  );
}

export function ReleaseForm({ sourceId, started, token }: { sourceId: string; started: FormattedMoment; token: string }) {
  return (
    <section className="card stack" aria-labelledby="release">
      <h2 id="release">Release this response?</h2>
      <p>
        Below is what this response would have written (read <TimeAway at={started} />
        ). If you release it, the source runs again now, and its new response is written without a sanity check.
      </p>
      <PostForm className="cluster" token={token}>
        <Submit intent="release">Release and run</Submit>
        <Link className="button plain" to={`/desk/sources/${sourceId}`}>
          Keep on hold
        </Link>
      </PostForm>
    </section>
  );
}
