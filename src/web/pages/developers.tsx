import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { formatJson } from '../design/format-json.ts';
import { KeyButton } from '../design/forms/key-button.tsx';
import { JsonText } from '../design/json.tsx';
import { useRoot } from '../design/use-root.ts';
import { formatAge, formatLocal, formatNumber, formatStart } from '../model/format.ts';
import { createDeveloperFacts, type Joined } from '../server/developers.ts';
import { requestFacts, rooms } from '../server/rooms.ts';
import { readTiers } from '../server/tiers.ts';
import './joining.css';
import './developers.css';

const readFacts = createDeveloperFacts();

export const handle = { isStatic: true };

export async function loader({ context }: LoaderFunctionArgs) {
  const { trouble } = context.get(requestFacts);
  return { ...(await readFacts({ ...context.get(rooms), isAway: () => trouble.isAway })), plans: readTiers() };
}

export default function DevelopersPage() {
  const { board, joined, stats, plans } = useLoaderData<typeof loader>();
  const { city, publicUrl } = useRoot() ?? { city: { name: 'your city' }, publicUrl: '' };
  return (
    <>
      <title>{`Marquee: events in ${city.name}, as an API`}</title>
      <meta
        name="description"
        content={`Upcoming events, venues and neighborhoods of ${city.name} as one clean, ranked JSON API.`}
      />
      <section className="column hero">
        <div>
          <p className="eyebrow">Event discovery API</p>
          <h1 className="giant">Every event in the city, listed once.</h1>
        </div>
        <div className="stack">
          <p className="lead">
            Marquee reads the listings of many providers, finds out which of them are the same event, ranks the result and returns
            it as JSON. This instance covers {city.name}.
          </p>
          <p className="cluster">
            <KeyButton />
            <Link className="button" to="/playground">
              Try a request
            </Link>
            <Link className="button" to="/search">
              Search events
            </Link>
          </p>
          <p className="small quiet">
            {plans.trial.days} days free on {plans.trial.tier}, no card needed.
          </p>
        </div>
      </section>
      <section className="column" aria-labelledby="showing">
        <div className="sign">
          <h2 id="showing" className="crown">
            Top events in {city.name}
          </h2>
          <Board answer={board.answer} city={city.name} />
          <AnswerShown target={board.target} answer={board.answer} publicUrl={publicUrl} />
        </div>
        <p className="small quiet sign-note">
          Live data: the best events of the next thirty days, and the request that returns them.
        </p>
      </section>
      <section className="column gap stack loose" aria-labelledby="how">
        <h2 id="how" className="section-name">
          Many listings, one event
        </h2>
        <Joining joined={joined} />
        <ol className="acts">
          {ACTS.map(({ name, text }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </section>
      <section className="band" aria-labelledby="figures">
        <div className="column stack loose">
          <h2 id="figures" className="section-name">
            Live numbers
          </h2>
          <CityStats stats={stats} city={city.name} />
        </div>
      </section>
      <section className="column gap halves" aria-labelledby="prices">
        <div className="stack">
          <h2 id="prices" className="section-name">
            One price a month
          </h2>
          <dl className="price-lines">
            {plans.tiers.map(({ name, label, priceUsd, perDay, perMinute }) => (
              <div key={name}>
                <dt>
                  {label} <span className="number">${priceUsd}</span>
                </dt>
                <dd>
                  {formatNumber(perDay)} requests a day, {formatNumber(perMinute)} a minute; {addedBy(plans, name)}
                </dd>
              </div>
            ))}
          </dl>
          <p>
            <Link to="/pricing">Compare the tiers</Link>
          </p>
        </div>
        <div className="stack">
          <h2 className="section-name">First steps</h2>
          <ol className="steps">
            <li>
              <Link to="/sign-up">Sign up</Link> with an email address. Your {plans.trial.days} days start when you confirm it.
            </li>
            <li>
              Copy your key. It is shown only once. Store it in <code>MARQUEE_KEY</code>.
            </li>
            <li>
              Send a request:
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              <pre tabIndex={0}>
                <code>{`curl -H "X-API-Key: $MARQUEE_KEY" \\\n  '${publicUrl}/api/v1/events?free=true&limit=3'`}</code>
              </pre>
            </li>
          </ol>
          <p className="cluster">
            <KeyButton />
            <a className="button" href="/docs">
              Open the API reference
            </a>
          </p>
        </div>
      </section>
    </>
  );
}

type Facts = ReturnType<typeof useLoaderData<typeof loader>>;

function CityStats({ stats, city }: { stats: Facts['stats']; city: string }) {
  const { times, changedAt, at } = stats;
  const rows = [
    { name: `upcoming events in ${city}`, value: formatNumber(stats.upcoming) },
    { name: 'venues', value: formatNumber(stats.venues) },
    { name: 'neighborhoods', value: formatNumber(stats.neighborhoods) },
    ...(stats.sources === null ? [] : [{ name: 'sources that list them', value: formatNumber(stats.sources) }]),
    ...(changedAt === undefined ? [] : [lastChange(changedAt, at)]),
  ];
  return (
    <>
      <dl className="city-stats">
        {rows.map(({ name, value }) => (
          <div key={name}>
            <dd className="figure">{value}</dd>
            <dt>{name}</dt>
          </div>
        ))}
      </dl>
      <p>
        {times.half === null || times.nearlyAll === null
          ? 'No API requests yet since this service started. Response times appear after the first request.'
          : `Of the ${formatNumber(times.requests)} API requests since this service started, 50% took at most ${formatTime(times.half)} and 99% took at most ${formatTime(times.nearlyAll)}.`}
      </p>
    </>
  );
}

const lastChange = (changedAt: number | null, at: number) =>
  changedAt === null
    ? { name: 'changes to the directory so far', value: '0' }
    : { name: 'since the directory last changed', value: formatAge(at - changedAt) };

/** What a tier opens that the one below does not, and what is coming to it. */
function addedBy({ tiers, endpoints, extras }: Facts['plans'], name: string): string {
  const below = tiers[tiers.findIndex((tier) => tier.name === name) - 1];
  const isNew = (each: { tiers: readonly string[] }) => some(each.tiers, name) && !(below && some(each.tiers, below.name));
  const paths = endpoints.filter((each) => each.metered && isNew(each)).map(({ path }) => path.split(/[/.]/)[1] ?? '');
  const there = extras.filter((each) => !each.isComing && isNew(each)).map((each) => each.name.toLowerCase());
  const coming = extras.filter((each) => each.isComing && isNew(each)).map((each) => each.name.toLowerCase());
  // An extra says more than the endpoint that lists it.
  const words = [...new Set(paths)].filter((path) => !there.some((name) => name.endsWith(` ${path}`))).concat(there);
  const added = words.length === 0 ? 'the same endpoints' : below ? `also ${listOf(words)}` : listOf(words);
  return coming.length === 0 ? added : `${added}; coming: ${listOf(coming)}`;
}

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const some = (tiers: readonly string[], name: string): boolean => tiers.includes(name);

function formatTime(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return 'more than ten seconds';
  return milliseconds >= 1_000 ? `${milliseconds / 1_000} s` : `${milliseconds} ms`;
}

/** Slips of many sources that become one ticket; an event of the directory, where it has one that several announced. */
function Joining({ joined }: { joined: Joined | null }) {
  if (!joined) {
    return <p className="lead">At the moment, no event in the directory comes from more than one source.</p>;
  }
  return (
    <figure className="joining">
      <ul className="slips">
        {joined.sources.map(({ name, title }) => (
          <li key={name}>
            <span className="small">{name}</span>
            {title === null ? null : <span>{title}</span>}
          </li>
        ))}
      </ul>
      <svg className="joining-arrow" viewBox="0 0 80 120" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="2">
        <path d="M0 14C40 14 30 60 72 60M0 60H72M0 106C40 106 30 60 72 60M62 52l10 8l-10 8" />
      </svg>
      <div className="ticket">
        <p className="small">{formatStart(joined)}</p>
        <p className="ticket-title">
          <Link to={`/events/${joined.slug}`}>{joined.title}</Link>
        </p>
        <p>{joined.venue}</p>
      </div>
      <figcaption className="quiet">
        {joined.sources.length} sources list this event. Marquee merges the listings and takes each field from the most reliable
        source.
      </figcaption>
    </figure>
  );
}

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
function Board({ answer, city }: { answer: string; city: string }) {
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
function AnswerShown({ target, answer, publicUrl }: { target: string; answer: string; publicUrl: string }) {
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

const ACTS = [
  {
    name: 'Read',
    text: 'Feeds, calendars, ticket shops and web pages are read on a schedule. A broken source does not stop the others.',
  },
  {
    name: 'Match',
    text: 'Listings that agree on title, time and place become one event. If a match is uncertain, a person decides.',
  },
  {
    name: 'Rank',
    text: 'Each event has a discovery score from 0 to 100. Recorded facts decide it, and the operator can inspect them.',
  },
  { name: 'Serve', text: 'Responses come from memory, with exact totals. Paging never repeats or skips an event.' },
] as const;
/** Characters that fit beside the board. */
const WIDTH = 56;
