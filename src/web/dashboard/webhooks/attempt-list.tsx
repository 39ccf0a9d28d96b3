import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge } from '../../design/notice.tsx';

export interface ShownAttempt {
  id: string;
  messageId: string;
  type: string;
  number: number;
  at: Date;
  outcome: string;
  status: number | null;
  detail: string | null;
  durationMs: number;
  requestHeaders: Record<string, string>;
  answerHeaders: Record<string, string>;
  answer: string;
}

export function AttemptList({
  attempts,
  address,
  canResend,
}: {
  attempts: readonly ShownAttempt[];
  address: string;
  canResend: boolean;
}) {
  return (
    <ul className="stack tight">
      {attempts.map((attempt) => (
        <li key={attempt.id}>
          <details className="card">
            <summary>
              <Badge kind={attempt.outcome === 'delivered' ? 'good' : 'bad'}>{attempt.status ?? attempt.outcome}</Badge>{' '}
              <code>{attempt.type}</code> <Moment at={attempt.at} />{' '}
              <span className="quiet">{`attempt ${attempt.number}, ${attempt.durationMs} ms`}</span>
            </summary>
            <div className="stack tight">
              {attempt.detail ? <p>{attempt.detail}</p> : null}
              <Headers title="Request headers" headers={attempt.requestHeaders} />
              <Headers title="Response headers" headers={attempt.answerHeaders} />
              {attempt.answer ? (
                <>
                  <h4>Response</h4>
                  <pre>
                    <code>{attempt.answer}</code>
                  </pre>
                </>
              ) : null}
              {canResend ? (
                <PostForm action={address} className="cluster">
                  <input type="hidden" name="attempt" value={attempt.id} />
                  <Submit intent="resend" kind="" small>
                    Resend message
                  </Submit>
                </PostForm>
              ) : null}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

function Headers({ title, headers }: { title: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <pre>
        <code>{lines.join('\n')}</code>
      </pre>
    </>
  );
}
