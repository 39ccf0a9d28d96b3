import type { SessionListing } from '../../../accounts/index.ts';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge } from '../../design/notice.tsx';
import type { FormResult } from '../../model/account.ts';

export function Sessions({ sessions, formResult }: { sessions: SessionListing[]; formResult: FormResult | undefined }) {
  const errorsOf = (about: string) => (formResult?.ok === false && formResult.about === about ? formResult.errors : undefined);
  return (
    <section className="card stack setting" aria-labelledby="sessions">
      <h2 id="sessions">Active sessions</h2>
      <ul className="rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{session.device}</strong> {session.isCurrent ? <Badge kind="good">this device</Badge> : null}
              <div className="small quiet">
                {session.address || 'unknown address'}, since <Moment at={session.createdAt} />, last used{' '}
                <Moment at={session.lastUsedAt} />
              </div>
            </div>
            {session.isCurrent ? null : (
              <PostForm className="cluster" errors={errorsOf(`session-end ${session.id}`)}>
                <input type="hidden" name="id" value={session.id} />
                <Submit intent="session-end" kind="" small>
                  {' '}
                  Sign out<span className="visually-hidden"> the session of {session.device}</span>
                </Submit>
              </PostForm>
            )}
          </li>
        ))}
      </ul>
      <div className="cluster">
        {sessions.length > 1 ? (
          <PostForm className="cluster" errors={errorsOf('sessions-end')}>
            <Submit intent="sessions-end" kind="">
              Sign out everywhere else
            </Submit>
          </PostForm>
        ) : null}
        <PostForm className="cluster" action="/sign-out">
          <Submit kind="">Sign out of this device</Submit>
        </PostForm>
      </div>
    </section>
  );
}
