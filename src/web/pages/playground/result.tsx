import { formatJson } from '../../design/format-json.ts';
import { JsonText } from '../../design/json.tsx';
import { Badge } from '../../design/notice.tsx';
import { formatNumber } from '../../model/format.ts';
import { type PlaygroundAnswer, tellingHeaders } from '../../model/playground/answer.ts';

/** Status, time, what is left of the allowance, and the body as it is best read. */
export function AnswerText({ answer }: { answer: PlaygroundAnswer }) {
  const { status, milliseconds, body } = answer;
  return (
    <div className="stack">
      <p className="cluster">
        <Badge kind={status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
        <span>
          <span className="number">{milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)}</span> ms
        </span>
        <span className="quiet number">{formatNumber(new Blob([body]).size)} bytes</span>
      </p>
      <details>
        <summary>Headers</summary>
        <dl className="facts header-list">
          {tellingHeaders(answer).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="answer-body" tabIndex={0}>
        <code>
          <JsonText text={readable(body)} />
        </code>
      </pre>
    </div>
  );
}

function readable(body: string): string {
  try {
    return formatJson(JSON.parse(body));
  } catch {
    return body;
  }
}
