import { Badge } from '../../design/notice.tsx';

/** As `Condition` of the sources; a word beside every color. */
const CONDITIONS = {
  well: { kind: 'good', text: 'Healthy' },
  running: { kind: 'plain', text: 'Running' },
  waiting: { kind: 'plain', text: 'Run requested' },
  new: { kind: 'plain', text: 'Never run' },
  paused: { kind: 'plain', text: 'Paused' },
  late: { kind: 'warn', text: 'Late' },
  empty: { kind: 'warn', text: 'Lists nothing' },
  failing: { kind: 'bad', text: 'Failing' },
  held: { kind: 'warn', text: 'On hold' },
} as const;
export type ConditionName = keyof typeof CONDITIONS;

export function Condition({ name }: { name: ConditionName }) {
  const { kind, text } = CONDITIONS[name];
  return <Badge kind={kind}>{text}</Badge>;
}

const STATES = {
  running: { kind: 'plain', text: 'Running' },
  done: { kind: 'good', text: 'Done' },
  failed: { kind: 'bad', text: 'Failed' },
  held: { kind: 'warn', text: 'On hold' },
  undone: { kind: 'plain', text: 'Undone' },
} as const;
export type RunStateName = keyof typeof STATES;

export function RunState({ name }: { name: RunStateName }) {
  const { kind, text } = STATES[name];
  return <Badge kind={kind}>{text}</Badge>;
}
