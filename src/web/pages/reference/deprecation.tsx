import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { MIN_NOTICE_DAYS } from '../../../api/index.ts';
import { Marked } from '../../design/code.tsx';
import { DataTable } from '../../design/table.tsx';
import { formatDay } from '../../model/format.ts';
import { readDeprecations } from '../../server/api-changes.ts';
import { rooms } from '../../server/rooms.ts';
import { Reference } from './parts.tsx';

export const handle = { isStatic: true };

export const loader = ({ context }: LoaderFunctionArgs) => ({
  deprecations: readDeprecations(context.get(rooms).openApi()),
  noticeDays: MIN_NOTICE_DAYS,
});

/** What will go and when; links of responses lead to its rows. */
export default function Deprecations() {
  const { deprecations, noticeDays } = useLoaderData<typeof loader>();
  return (
    <Reference
      title="Deprecations"
      contents={[
        {
          name: 'Deprecations',
          entries: [
            { anchor: 'now', text: 'Deprecated now' },
            { anchor: 'policy', text: 'Policy' },
            { anchor: 'headers', text: 'Headers' },
          ],
        },
      ]}
    >
      <meta name="description" content="What is deprecated in the API, until when it works, and what replaces it." />
      <p className="lead">Nothing of the API goes without notice. This page says what is deprecated, and how you learn of it.</p>
      <h2 id="now">Deprecated now</h2>
      {deprecations.length === 0 ? (
        <p>Nothing is deprecated now.</p>
      ) : (
        <DataTable caption="Deprecated now" head={['Endpoint or parameter', 'Announced', 'Works until', 'Use instead']} stacks>
          {deprecations.map(({ anchor, path, parameter, announced, ends, instead }) => (
            <tr key={anchor} id={anchor}>
              <td>
                <code>{parameter === null ? `GET ${path}` : parameter}</code>
                {parameter === null ? null : ` of GET ${path}`}
              </td>
              <td>{formatDay(announced)}</td>
              <td>{formatDay(ends)}</td>
              <td>
                <Marked text={instead} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <h2 id="policy">Policy</h2>
      <ul>
        <li>
          Version 1 changes only by additions: new endpoints, parameters, headers and values of <code>include</code>. Ignore keys
          that you do not know.
        </li>
        <li>
          A deprecation is announced in the <a href="/changelog">changelog</a>, with its replacement, at least {noticeDays} days
          before its end.
        </li>
        <li>Until its end, everything that is deprecated works as before.</li>
        <li>
          After its end, an endpoint returns 404, and a parameter is ignored. With <code>Prefer: handling=strict</code>, the
          parameter is an error.
        </li>
      </ul>
      <h2 id="headers">Headers</h2>
      <p>Each response that uses something deprecated carries these headers. Log them, and alert on the first.</p>
      <DataTable caption="Headers of deprecations" head={['Header', 'Meaning']}>
        {HEADERS.map(([name, meaning]) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <Marked text={meaning} />
            </td>
          </tr>
        ))}
      </DataTable>
      <p>
        Programs find the same in <a href="/openapi.json">openapi.json</a>: <code>deprecated</code>, and{' '}
        <code>x-deprecation</code> with <code>announced</code>, <code>ends</code> and <code>instead</code>.
      </p>
    </Reference>
  );
}

const HEADERS = [
  ['Deprecation', 'RFC 9745: since when, such as `@1798761600`'],
  ['Sunset', 'RFC 8594: from when it may be gone, such as `Thu, 01 Jul 2027 00:00:00 GMT`'],
  ['Link', 'with `rel="deprecation"`: the row of this page'],
] as const;
