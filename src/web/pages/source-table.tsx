import type { StatusReport } from '../../status/index.ts';
import { Badge } from '../design/notice.tsx';
import { DataTable } from '../design/table.tsx';
import { useFormats, useText } from '../design/use-language.ts';
import { describeAge } from '../model/describe.ts';

/** How old the data is, as a whole and by source. */
export function Sources({ status: { directory, sources, at } }: { status: StatusReport }) {
  const text = useText();
  const formats = useFormats();
  return (
    <section className="stack" aria-labelledby="data">
      <h2 id="data">{text('service.data')}</h2>
      <p>
        {text('service.directory', { events: directory.events, venues: directory.venues })}{' '}
        {directory.changedAt === null
          ? null
          : text('service.changed', { moment: `${formats.moment(directory.changedAt, 'UTC')} UTC` })}{' '}
        {directory.behind > 0 ? text('service.behind', { count: directory.behind }) : null}
      </p>
      <SourceTable sources={sources} />
      <p className="small quiet">{text('service.built', { age: describeAge(text, (at - directory.builtAt) / 1000) })}</p>
    </section>
  );
}

export function SourceTable({ sources }: Pick<StatusReport, 'sources'>) {
  const text = useText();
  if (sources === null) return <p className="quiet">{text('service.sourcesUnknown')}</p>;
  if (sources.length === 0) return <p className="quiet">{text('service.noSources')}</p>;
  return (
    <DataTable
      caption={text('service.sources')}
      head={[text('service.column.source'), text('service.column.state'), text('service.column.read')]}
      stacks
    >
      {sources.map(({ name, state, ageSeconds }) => (
        <tr key={name}>
          <td>
            <bdi>{name}</bdi>
          </td>
          <td>
            <Badge kind={state === 'current' ? 'good' : WARNED.has(state) ? 'warn' : 'plain'}>
              {text(`service.source.${state}`)}
            </Badge>
          </td>
          <td>{ageSeconds === null ? text('service.never') : describeAge(text, ageSeconds)}</td>
        </tr>
      ))}
    </DataTable>
  );
}

const WARNED: ReadonlySet<string> = new Set(['late', 'empty', 'failing']);
