import { useText } from '../design/use-language.ts';
import { reportPath } from '../model/reports.ts';

/** For the pages of events and venues: the way to the form that needs no account. */
export function ReportLink({ entity, id }: { entity: 'event' | 'venue'; id: string }) {
  const text = useText();
  return (
    <p className="small">
      <a href={reportPath(entity, id)} rel="nofollow">
        {text('report.link')}
      </a>
    </p>
  );
}
