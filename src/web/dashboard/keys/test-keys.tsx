import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { formatNumber } from '../../model/format.ts';
import type { RefusedKeyForm } from '../../model/keys.ts';
import type { PlanFacts } from '../../model/tiers.ts';
import { KeyCard, type KeyCardListing } from './key-card.tsx';

interface Props {
  keys: readonly KeyCardListing[];
  /** Tiers that have no test key yet. */
  open: readonly string[];
  plans: PlanFacts;
  token: string;
  now: number;
  refused: RefusedKeyForm | null;
}

/** Keys that read the test city: free, at most one for each tier. */
export function TestKeys({ keys, open, plans, token, now, refused }: Props) {
  const isOwnForm = refused?.id === null && refused.plan.startsWith('test:');
  return (
    <section className="stack" aria-labelledby="test">
      <h2 id="test">Test keys</h2>
      <p className="quiet">
        A test key is free and reads an invented city. It has the limits of its tier, but its requests never count toward a plan.{' '}
        <a href="/docs/test-keys">How to test with it</a>
      </p>
      {keys.map((key) => (
        <KeyCard
          key={key.id}
          listing={key}
          plans={plans}
          token={token}
          now={now}
          refused={refused?.id === key.id ? refused : null}
        />
      ))}
      {open.length > 0 ? (
        <TestKeyForm open={open} plans={plans} token={token} refused={isOwnForm ? refused : null} />
      ) : (
        <p className="quiet">You have a test key of each tier.</p>
      )}
    </section>
  );
}

function TestKeyForm({ open, plans, token, refused }: Pick<Props, 'open' | 'plans' | 'token' | 'refused'>) {
  const tiers = plans.tiers.filter(({ name }) => open.includes(name));
  const chosen = refused?.plan ?? `test:${tiers[0]?.name}`;
  return (
    <details className="card" open={refused !== null}>
      <summary className="button small">New test key</summary>
      <PostForm errors={refused?.errors} token={`${token}-test`} action="/dashboard/keys">
        <Field
          label="Name of the test key"
          name="name"
          autoComplete="off"
          maxLength={100}
          required
          defaultValue={refused?.name ?? 'Tests'}
          error={refused?.errors.name}
        />
        <fieldset className="field">
          <legend>Limits and endpoints</legend>
          <div className="plan-choices">
            {tiers.map(({ name, label, perDay, perMinute }) => (
              <label key={name}>
                <input type="radio" name="plan" value={`test:${name}`} defaultChecked={chosen === `test:${name}`} />
                <strong>{`As ${label}, free`}</strong>
                <small>{`${formatNumber(perDay)} requests a day, ${formatNumber(perMinute)} a minute`}</small>
              </label>
            ))}
          </div>
          {refused?.errors.plan ? <span className="error">{refused.errors.plan}</span> : null}
        </fieldset>
        <p>
          <Submit intent="create">Create test key</Submit>
        </p>
      </PostForm>
    </details>
  );
}
