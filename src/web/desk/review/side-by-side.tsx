import type { CandidateView, FactLine, Piece, SideView } from '../../model/desk.ts';
import { formatNumber } from '../../model/format.ts';
import { TimeText, Words } from '../oversight/moments.tsx';

/** Two listings, line by line; on a phone each line says its name above the two. */
export function SideBySide({ candidate: { sides, facts, kind } }: { candidate: CandidateView }) {
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
