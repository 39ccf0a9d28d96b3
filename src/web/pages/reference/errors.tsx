import { useLoaderData } from 'react-router';
import { Marked } from '../../design/code.tsx';
import { DataTable } from '../../design/table.tsx';
import { readProblems } from '../../server/reference.ts';
import { Reference } from './parts.tsx';

export const handle = { isStatic: true };

export const loader = () => readProblems();

/** Every `type` of a problem document leads to its paragraph here. */
export default function Errors() {
  const { problems, faults } = useLoaderData<typeof loader>();
  const statuses = [...new Set(problems.map(({ status }) => status))];
  return (
    <Reference
      title="Errors"
      contents={statuses.map((status) => ({
        name: String(status),
        entries: problems.filter((each) => each.status === status).map(({ code }) => ({ anchor: code, text: code })),
      }))}
    >
      <meta name="description" content="All API errors, their causes and their remedies." />
      <p className="lead">
        Every error is a problem document (RFC 9457) of type <code>application/problem+json</code>. Its <code>code</code> is one
        of the following.
      </p>
      {problems.map(({ code, status, title, meaning, remedy }) => (
        <section key={code} id={code} className="operation">
          <h2>
            <code>{code}</code>{' '}
            <span className="status">
              {status} {title}
            </span>
          </h2>
          <p>
            <Marked text={meaning} />
          </p>
          <p>
            <strong>What to do:</strong> <Marked text={remedy} />
          </p>
        </section>
      ))}
      <h2 id="parameters">Codes of single parameters</h2>
      <p>
        <code>invalid_parameter</code> lists each bad parameter under <code>errors</code>, with one of these codes.
      </p>
      <DataTable caption="Codes of single parameters" head={['Code', 'Meaning']}>
        {faults.map(({ code, meaning }) => (
          <tr key={code}>
            <td>
              <code>{code}</code>
            </td>
            <td>
              <Marked text={meaning} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Reference>
  );
}
