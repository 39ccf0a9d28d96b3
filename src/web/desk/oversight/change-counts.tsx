import { formatNumber } from '../../model/format.ts';
import { RunState, type RunStateName } from './condition.tsx';

/** What a run did to events, in signs that are the command line's, each with its word for readers who hear the page. */
export function ChangeCounts({ summary }: { summary: ShownCounts | null }) {
  if (!summary) return <span className="quiet">no data</span>;
  const shown = KINDS.filter(({ name }) => summary[name] > 0);
  if (shown.length === 0) return <span className="quiet">no change</span>;
  return (
    <span className="change-counts">
      {shown.map(({ name, sign, label }) => (
        <span key={name} className={`change ${name}`}>
          <span aria-hidden="true">{sign}</span>
          {formatNumber(summary[name])} <span className="change-word">{label}</span>
        </span>
      ))}
    </span>
  );
}

/** How a run ended where there is little room: its counts, and its state unless it is simply done. */
export function Outcome({ state, summary }: { state: RunStateName; summary: ShownCounts | null }) {
  if (state === 'done') return <ChangeCounts summary={summary} />;
  return (
    <span className="change-counts">
      <RunState name={state} />
      {summary && state !== 'running' ? <ChangeCounts summary={summary} /> : null}
    </span>
  );
}

export type ShownCounts = Readonly<Record<(typeof KINDS)[number]['name'], number>>;

export const KINDS = [
  { name: 'created', sign: '+', label: 'created' },
  { name: 'changed', sign: '~', label: 'changed' },
  { name: 'merged', sign: '=', label: 'merged' },
  { name: 'cancelled', sign: '×', label: 'canceled' },
  { name: 'vanished', sign: '−', label: 'no longer listed' },
] as const;
