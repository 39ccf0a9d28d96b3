import { Form, Link } from 'react-router';
import { Choice, Field } from '../../design/forms/field.tsx';
import type { Entity } from '../../model/desk.ts';
import { STATE_CHOICES } from './state.tsx';

/** Words, state, source and day; the address says all of it, so that it can be kept and sent. */
export function FindForm({ entity, asked, states, sources }: Props) {
  return (
    <search>
      <Form className="form inline find" action={`/desk/${entity}s`}>
        <Field label="Words, slug or object ID" name="q" defaultValue={asked.q} maxLength={200} />
        <Choice label="State" name="state" defaultValue={asked.state ?? ''} options={STATE_CHOICES(states)} />
        <Field label="Source" name="source" defaultValue={asked.source} list="sources" maxLength={200} />
        <datalist id="sources">
          {sources.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {asked.from === null ? null : <Field label="From date" name="from" type="date" defaultValue={asked.from} />}
        <button type="submit" className="button">
          Find
        </button>
      </Form>
    </search>
  );
}

/** To the next page of the same question. */
export function NextPage({ entity, asked, next }: Pick<Props, 'entity' | 'asked'> & { next: string | null }) {
  if (next === null) return null;
  const { q, state, source, from } = asked;
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(state && { state }),
    ...(source && { source }),
    ...(from !== null && { from }),
    after: next,
  });
  return (
    <nav className="pager" aria-label="Pages">
      <Link className="button" to={`/desk/${entity}s?${query}`}>
        More {entity}s
      </Link>
    </nav>
  );
}

interface Props {
  entity: Entity;
  asked: { q: string; state: string | null; source: string; from: string | null };
  states: readonly string[];
  sources: readonly string[];
}
