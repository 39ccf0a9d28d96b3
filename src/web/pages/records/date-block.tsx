import { useFormats } from '../../design/use-language.ts';

/** A day as a leaf of a calendar. The words beside it say the same. */
export function DateBlock({ local }: { local: string }) {
  const { date } = useFormats();
  return (
    <span className="date-block" aria-hidden="true">
      <span>{date(local, { month: 'short' })}</span>
      <b>{date(local, { day: 'numeric' })}</b>
      <span>{date(local, { weekday: 'short' })}</span>
    </span>
  );
}
