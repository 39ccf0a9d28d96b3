import { Badge } from '../../design/notice.tsx';

/** The state of a record as a badge. */
export function StateBadge({ state }: { state: string }) {
  const { kind, text } = STATES[state] ?? { kind: 'plain', text: state };
  return <Badge kind={kind}>{text}</Badge>;
}

export const STATE_CHOICES = (words: readonly string[]) => [
  { value: '', text: 'any' },
  ...words.map((value) => ({ value, text: STATES[value]?.text ?? value })),
];

const STATES: Readonly<Record<string, { kind: 'good' | 'warn' | 'bad' | 'plain'; text: string }>> = {
  published: { kind: 'good', text: 'published' },
  unlisted: { kind: 'warn', text: 'unconfirmed, unlisted' },
  hidden: { kind: 'bad', text: 'hidden' },
  merged: { kind: 'plain', text: 'merged' },
  removed: { kind: 'plain', text: 'removed' },
};
