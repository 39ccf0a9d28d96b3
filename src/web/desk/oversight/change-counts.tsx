import { formatNumber } from '../../model/format.ts';
import { RunState, type RunStateName } from './condition.tsx';

/** What a run did to events, in signs that are the command line's, each with its word for readers who hear the page. */
export function Figures({ summary }: { summary: FiguresOf | null }) {
  if (!summary) return <span className="quiet">no data</span>;
  const told = KINDS.filter(({ name }) => summary[name] > 0);
  if (told.length === 0) return <span className="quiet">no change</span>;
  return (
    <span className="figures">
      {told.map(({ name, sign, word }) => (
        <span key={name} className={`change ${name}`}>
          <span aria-hidden="true">{sign}</span>
          {formatNumber(summary[name])} <span className="change-word">{word}</span>
        </span>
      ))}
    </span>
  );
}

/** How a run ended where there is little room: its figures, and its state unless it is simply done. */
export function Outcome({ state, summary }: { state: RunStateName; summary: FiguresOf | null }) {
  if (state === 'done') return <Figures summary={summary} />;
  return (
    <span className="figures">
      <RunState name={state} />
      {summary && state !== 'running' ? <Figures summary={summary} /> : null}
    </span>
  );
}

export type FiguresOf = Readonly<Record<(typeof KINDS)[number]['name'], number>>;

export const KINDS = [
  { name: 'created', sign: '+', word: 'created' },
  { name: 'changed', sign: '~', word: 'changed' },
  { name: 'merged', sign: '=', word: 'merged' },
  { name: 'cancelled', sign: '×', word: 'canceled' },
  { name: 'vanished', sign: '−', word: 'no longer listed' },
] as const;
