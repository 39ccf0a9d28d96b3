import { Link } from 'react-router';
import { formatJson } from '../../design/format-json.ts';
import { JsonText } from '../../design/json.tsx';
import { formatLocal } from '../../model/when.ts';

interface Shown {
  id: string;
  slug: string;
  title: string;
  startDatetime: string;
  startPrecision: string;
  discoveryScore: number;
  venue: { name: string; slug: string };
}

/** The lit board: letters on rails. */
export function Board({ answer, city }: { answer: string; city: string }) {
  const events = read(answer);
  return (
    <div className="board">
      {events.length === 0 ? (
        <p className="letters-none">The directory of {city} has no upcoming events.</p>
      ) : (
        <ol className="letters">
          {events.map(({ id, slug, title, startDatetime, startPrecision, discoveryScore, venue }) => {
            const { day, hour } = formatLocal(startDatetime);
            return (
              <li key={id}>
                <p className="letters-when">
                  {day}
                  {startPrecision === 'time' ? <span> {hour}</span> : null}
                </p>
                <p className="letters-what">
                  <strong>
                    <Link to={`/events/${slug}`}>{title}</Link>
                  </strong>
                  <span>
                    <Link to={`/venues/${venue.slug}`}>{venue.name}</Link>
                  </span>
                </p>
                <p className="letters-score">
                  <span className="visually-hidden">discovery score </span>
                  {discoveryScore}
                </p>
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}

/** The same as a program sees it. */
export function AnswerShown({ target, answer, publicUrl }: { target: string; answer: string; publicUrl: string }) {
  const [path = '', query = ''] = target.split('?');
  return (
    <figure className="answer">
      <figcaption>
        <span className="answer-method">GET</span> <span className="visually-hidden">{publicUrl}</span>
        {path}
        <wbr />?{query.split(/(?<=[,&])/).flatMap((part) => [part, <wbr key={part} />])}
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          <JsonText text={formatJson(JSON.parse(answer || '{}'), WIDTH)} />
        </code>
      </pre>
    </figure>
  );
}

function read(answer: string): Shown[] {
  return answer === '' ? [] : (JSON.parse(answer) as { data: Shown[] }).data;
}

/** Characters that fit beside the board. */
const WIDTH = 56;
