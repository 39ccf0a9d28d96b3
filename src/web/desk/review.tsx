import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { PageHead } from '../design/admin-layout.tsx';
import { PostForm, Submit } from '../design/forms/form.tsx';
import { Empty, Notice } from '../design/notice.tsx';
import type { CandidateView, DrawnTimeline, FactLine, Piece, SideView } from '../model/desk.ts';
import type { DrawnMap } from '../model/map.ts';
import { readAct } from '../server/desk.ts';
import { answerCandidate, readReview, undoAnswer } from '../server/desk-review.ts';
import { newFormToken, unknownForm } from '../server/forms.ts';
import { rooms } from '../server/rooms.ts';
import { requireOperator } from '../server/viewer.ts';
import { TimeAway, TimeText, Words } from './oversight/moments.tsx';
import { AnswerBar, useReviewKeys } from './review-answers.tsx';
import './oversight/oversight.css';
import './review.css';
import { formatNumber } from '../model/format.ts';

export async function loader(page: LoaderFunctionArgs) {
  const { email } = await requireOperator(page);
  const { searchParams } = new URL(page.request.url);
  const [at, settled] = [searchParams.get('at'), searchParams.get('settled')];
  const review = await readReview(page.context, { by: email, at, settled });
  return { ...review, token: newFormToken(), undoToken: newFormToken(), said: searchParams.get('said') };
}

export async function action(page: ActionFunctionArgs) {
  const act = await readAct(page);
  const opened = page.context.get(rooms);
  const intent = act.text('intent');
  if (intent !== 'same' && intent !== 'different' && intent !== 'undo') throw unknownForm();
  const outcome = intent === 'undo' ? await undoAnswer(act, opened) : await answerCandidate(act, opened, intent);
  if (outcome.ok) return redirect(addressOf({ at: outcome.next, said: intent }));
  if ('settled' in outcome) return redirect(addressOf({ at: act.text('next'), settled: outcome.settled }));
  return data({ error: outcome.reason }, { status: 409 });
}

export default function Review() {
  const { place, candidate, nextId, last, meanwhile, token, undoToken, said } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const keys = useReviewKeys();
  return (
    <>
      <PageHead title="Review" actions={candidate ? <p className="progress number">{place}</p> : null}>
        Are these two the same? All later runs respect your decision.
      </PageHead>
      <div className="stack live" aria-live="polite">
        {refused?.error ? <Notice kind="bad">{refused.error}</Notice> : null}
        {meanwhile ? <Meanwhile {...meanwhile} /> : null}
        {said === 'undo' && !refused ? <Notice kind="good">Undone. Marquee decides by the evidence again.</Notice> : null}
        {last ? <LastAnswer last={last} token={undoToken} isFresh={said === last.verdict && !refused} /> : null}
      </div>
      {candidate ? (
        <article className="stack loose" aria-label={`Question ${place}`}>
          <SideBySide candidate={candidate} />
          <div className="halves">
            <div className="stack loose">
              <section className="stack" aria-labelledby="evidence">
                <h2 id="evidence">
                  Evidence <span className="quiet number likelihood">{candidate.percent}% the same</span>
                </h2>
                <ul className="evidence">
                  {candidate.evidence.map(({ speaksFor, detail }) => (
                    <li key={detail} className={speaksFor}>
                      <span className="speaks" role="img" aria-label={SPEAKS[speaksFor].word}>
                        {SPEAKS[speaksFor].sign}
                      </span>
                      <Words>{detail}</Words>
                    </li>
                  ))}
                </ul>
                <p className="small quiet">
                  Asked <TimeAway at={candidate.asked} />. + is evidence for “same”, − for “different”.
                </p>
              </section>
              {candidate.timeline ? (
                <section className="stack" aria-labelledby="time">
                  <h2 id="time">Time</h2>
                  <Timeline drawn={candidate.timeline} />
                </section>
              ) : null}
            </div>
            <section className="stack" aria-labelledby="place">
              <h2 id="place">Location</h2>
              {candidate.map ? <PlaceMap drawn={candidate.map} /> : <p className="quiet">Neither listing has a location.</p>}
            </section>
          </div>
          <AnswerBar
            key={candidate.id}
            candidate={candidate.id}
            nextId={nextId}
            token={token}
            keys={keys}
            hasUndo={last !== null}
          />
        </article>
      ) : (
        <Empty title="No open questions">
          <p>
            Pairs of listings that are neither clearly the same nor clearly different appear here after a run.{' '}
            <Link to="/desk/sources">Sources</Link>
          </p>
        </Empty>
      )}
    </>
  );
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

/** What this operator said last, and the way back. */
function LastAnswer({ last, token, isFresh }: { last: NonNullable<Loaded['last']>; token: string; isFresh: boolean }) {
  return (
    <PostForm className={`last-answer ${isFresh ? 'fresh' : ''}`} token={token}>
      <input type="hidden" name="decision" value={last.id} />
      <p className="small">
        {isFresh ? 'Saved' : 'Your last decision'}: <strong>{last.verdict}</strong>, <Words>{last.left}</Words> and{' '}
        <Words>{last.right}</Words>, <TimeAway at={last.at} />
      </p>
      <Submit intent="undo" kind="" small hotkey="u">
        Undo
      </Submit>
    </PostForm>
  );
}

function Meanwhile({ answer, isOwn }: NonNullable<Loaded['meanwhile']>) {
  if (!answer) return <Notice kind="warn">That question is no longer open. Nothing was decided.</Notice>;
  return (
    <Notice kind="warn" title={isOwn ? 'You already answered this question' : 'Somebody else answered first'}>
      <Words>{answer.by}</Words> answered “{answer.verdict}” for <Words>{answer.left}</Words> and <Words>{answer.right}</Words>{' '}
      <TimeAway at={answer.at} />. Your answer was not saved.
    </Notice>
  );
}

function addressOf(parameters: Record<string, string | null>): string {
  const said = new URLSearchParams(Object.entries(parameters).filter((pair): pair is [string, string] => Boolean(pair[1])));
  return `/desk/review?${said}`;
}

/** Both events on the city's clocks; what it shows is said beneath. */
function Timeline({ drawn: { width, height, bars, ticks, axis, says } }: { drawn: DrawnTimeline }) {
  return (
    <figure className="stack tight">
      <svg className="timeline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Timeline. ${says}`}>
        {ticks.map(({ x, textX, text }) => (
          <g key={x} className="tick">
            <line x1={x} x2={x} y1="0" y2={axis} />
            <text x={textX} y={axis + 18} textAnchor="middle">
              {text}
            </text>
          </g>
        ))}
        <line className="axis" x1="0" x2={width} y1={axis} y2={axis} />
        {bars.map(({ letter, x, y, width: length, kind }) => (
          <g key={letter} className={`bar ${letter.toLowerCase()} ${kind}`}>
            <rect x={x} y={y} width={length} height="26" rx="5" />
            <text x={Math.min(x + length / 2, width - 10)} y={y + 18} textAnchor="middle">
              {letter}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="small quiet">{says}</figcaption>
    </figure>
  );
}

/** Borders of neighborhoods and the places of both listings; what it shows is said beneath. */
function PlaceMap({ drawn: { width, height, areas, labels, marks, scale, says } }: { drawn: DrawnMap }) {
  const [first, second] = marks;
  return (
    <figure className="stack tight">
      <svg className="place-map" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Map. ${says}`}>
        {areas.map(({ name, path }) => (
          <path key={name} className="area" d={path} />
        ))}
        {labels.map(({ x, y, text }) => (
          <text key={text} className="area-name" x={x} y={y} textAnchor="middle">
            {text}
          </text>
        ))}
        {first && second ? <line className="between" x1={first.x} y1={first.y} x2={second.x} y2={second.y} /> : null}
        {marks.map(({ letter, x, y }, i) => {
          // Flags lean away from each other, so that two marks on one spot are both read.
          const lean = i === 0 ? -1 : 1;
          return (
            <g key={letter} className={`place-mark ${letter.toLowerCase()}`}>
              <path d={`M${x} ${y}L${x + lean * 14} ${y - 20}`} />
              <circle cx={x} cy={y} r="4" />
              <circle className="flag" cx={x + lean * 16} cy={y - 26} r="11" />
              <text x={x + lean * 16} y={y - 21.5} textAnchor="middle">
                {letter}
              </text>
            </g>
          );
        })}
        <g className="map-scale">
          <path d={`M14 ${height - 20}v6h${scale.width}v-6`} />
          <text x={14 + scale.width + 8} y={height - 12}>
            {scale.text}
          </text>
        </g>
      </svg>
      <figcaption className="small quiet">{says}</figcaption>
    </figure>
  );
}

/** Two listings, line by line; on a phone each line says its name above the two. */
function SideBySide({ candidate: { sides, facts, kind } }: { candidate: CandidateView }) {
  const [left, right] = sides;
  return (
    <table className="sides">
      <caption className="visually-hidden">Two listings of {kind === 'event' ? 'events' : 'venues'}, line by line</caption>
      <thead>
        <tr>
          <td />
          <SideHead side={left} />
          <SideHead side={right} />
        </tr>
      </thead>
      <tbody>
        {facts.map((fact) => (
          <Fact key={fact.name} fact={fact} />
        ))}
        <tr>
          <th scope="row">First seen</th>
          <td className="small">
            <TimeText at={left.firstSeen} />
          </td>
          <td className="small">
            <TimeText at={right.firstSeen} />
          </td>
        </tr>
        {left.companions.length + right.companions.length > 0 ? (
          <tr>
            <th scope="row">Merged with</th>
            <td className="small">
              <Companions of={left} />
            </td>
            <td className="small">
              <Companions of={right} />
            </td>
          </tr>
        ) : null}
      </tbody>
    </table>
  );
}

function SideHead({ side: { letter, source, trust, url, externalId } }: { side: SideView }) {
  return (
    <th scope="col">
      <span className={`side-letter ${letter.toLowerCase()}`}>{letter}</span>{' '}
      <span className="side-source">
        <Words>{source}</Words>
      </span>
      <span className="side-origin small">
        trust {formatNumber(trust, 2)}
        {', '}
        {url ? (
          <a href={url} rel="noreferrer noopener nofollow" target="_blank">
            View page<span className="visually-hidden"> of listing {letter}, opens another tab</span>
          </a>
        ) : (
          <Words>{`id ${externalId}`}</Words>
        )}
      </span>
    </th>
  );
}

function Fact({ fact: { name, verdict, left, right } }: { fact: FactLine }) {
  return (
    <tr className={verdict}>
      <th scope="row">
        {name}
        {verdict === 'differ' ? <span className="differs"> differs</span> : null}
      </th>
      <td>
        <Pieces of={left} />
      </td>
      <td>
        <Pieces of={right} />
      </td>
    </tr>
  );
}

function Pieces({ of }: { of: readonly Piece[] }) {
  if (of.length === 0) return <span className="quiet">not listed</span>;
  return (
    <bdi>
      {of.map(({ text, marked }, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name, and never move
        marked ? <mark key={i}>{text}</mark> : text,
      )}
    </bdi>
  );
}

function Companions({ of: { companions } }: { of: SideView }) {
  return companions.length === 0 ? <span className="quiet">no other listing</span> : <Words>{companions.join(', ')}</Words>;
}

const SPEAKS = {
  same: { sign: '+', word: 'evidence for the same:' },
  different: { sign: '−', word: 'evidence for different:' },
  neither: { sign: '·', word: 'evidence for neither:' },
} as const;
