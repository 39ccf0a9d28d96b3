import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { Marked } from '../../design/code.tsx';
import { DataTable } from '../../design/table.tsx';
import { EXAMPLE_REQUESTS } from '../../model/playground/languages.ts';
import { curlLines } from '../../model/playground/lines.ts';
import { type Operation, readReference } from '../../server/reference.ts';
import { rooms } from '../../server/rooms.ts';
import { RequestLines } from '../request-lines.tsx';
import { Reference } from './parts.tsx';

export const handle = { isStatic: true };

export const loader = ({ context }: LoaderFunctionArgs) => readReference(context.get(rooms).openApi());

/** The reference for people, made from the OpenAPI document: it cannot say what the service does not do. */
export default function Endpoints() {
  const { title, description, base, operations, headers, schemas } = useLoaderData<typeof loader>();
  return (
    <Reference
      title={title}
      contents={[
        { name: 'Start', entries: [{ anchor: 'examples', text: 'Examples' }] },
        { name: 'Endpoints', entries: operations.map(({ id, path }) => ({ anchor: id, text: path })) },
        {
          name: 'All responses',
          entries: [
            { anchor: 'headers', text: 'Headers' },
            { anchor: 'schemas', text: 'Schemas' },
          ],
        },
      ]}
    >
      <meta name="description" content={description} />
      <p className="lead">{description}</p>
      <Block
        text={curlLines({
          base,
          path: '/events',
          id: '',
          query: [
            ['category', 'concert'],
            ['limit', '5'],
          ],
        })}
      />
      <p>
        Base URL: <code>{base}</code>. See <a href="/docs/errors">errors</a> for all error codes, and{' '}
        <a href="/openapi.json">openapi.json</a> for a description that programs can read. Parameters marked{' '}
        <span className="remark">extension</span> are additions to version 1 of the contract.
      </p>
      <h2 id="examples">Examples in six languages</h2>
      {EXAMPLE_REQUESTS.map(({ title, ...request }) => (
        <section key={title} className="stack tight">
          <h3>{title}</h3>
          <RequestLines request={{ ...request, base }} />
        </section>
      ))}
      <h2 id="endpoints">Endpoints</h2>
      {operations.map((operation) => (
        <OperationText key={operation.id} operation={operation} base={base} />
      ))}
      <h2 id="headers">Response headers</h2>
      <DataTable caption="Response headers" head={['Header', 'Meaning']}>
        {headers.map(({ name, description }) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td>
              <Marked text={description} />
            </td>
          </tr>
        ))}
      </DataTable>
      <h2 id="schemas">Schemas</h2>
      <div className="stack tight">
        {schemas.map(({ name, text }) => (
          <details key={name} id={`schema-${name}`} className="schema">
            <summary>
              <code>{name}</code>
            </summary>
            <Block text={text} />
          </details>
        ))}
      </div>
    </Reference>
  );
}

function OperationText({ operation, base }: { operation: Operation; base: string }) {
  const { id, path, summary, description, tier, metered, parameters, answers } = operation;
  return (
    <section id={id} className="operation">
      <h3>
        <span className="method">GET</span> <code>{path}</code>
      </h3>
      <p>
        {summary}. <Marked text={description} />
      </p>
      <p className="cluster small">
        <span className="badge">
          {tier}
          {tier === 'enterprise' ? '' : ' or higher'}
        </span>
        <span className="badge">{metered ? 'metered' : 'not metered'}</span>
        <a className="button small" href={`/playground?endpoint=${id}`}>
          Try it<span className="visually-hidden">: {path}</span>
        </a>
      </p>
      {parameters.length > 0 ? (
        <DataTable className="parameters-of" caption={`Parameters of ${path}`} head={['Parameter', 'Meaning']}>
          {parameters.map(({ name, place, form, description, required }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
                <span className="remark">{remarkOf(place, required, description)}</span>
              </td>
              <td>
                <Marked text={description.replace(EXTENSION, '')} />
                <p className="form-of">{form}</p>
              </td>
            </tr>
          ))}
        </DataTable>
      ) : null}
      <Block text={curlLines({ base, path, id: EXAMPLE_ID, query: [] })} />
      <dl className="statuses">
        <div>
          <dt>Responses</dt>
          {answers
            .filter(({ status }) => !isRefusal(status))
            .map(({ status, schemas }) => (
              <dd key={status}>
                <code>{status}</code>
                {schemas.map((name) => (
                  <a key={name} href={`#schema-${name}`}>
                    {name}
                  </a>
                ))}
              </dd>
            ))}
        </div>
        <div>
          <dt>
            <a href="/docs/errors">Errors</a>
          </dt>
          <dd className="quiet number">
            {answers
              .map(({ status }) => status)
              .filter(isRefusal)
              .join(', ')}
          </dd>
        </div>
      </dl>
    </section>
  );
}

const isRefusal = (status: string): boolean => status >= '400';

/** What is not so of most parameters. */
function remarkOf(place: string, required: boolean, description: string): string {
  const remarks = [
    place === 'query' ? '' : `in the ${place}`,
    required ? 'required' : '',
    EXTENSION.test(description) ? 'extension' : '',
  ];
  return remarks.filter(Boolean).join(', ');
}

function Block({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

/** How descriptions of the OpenAPI document say that the contract has no such parameter. */
const EXTENSION = /^Extension\. /;
const EXAMPLE_ID = '0197a3c0-0000-7000-8000-000000000001';
