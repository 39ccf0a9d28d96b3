import type { KeyPlan } from '../../../accounts/index.ts';
import { Choice, Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { isKeyClosed, type RefusedKeyForm, showKey } from '../../model/keys.ts';
import type { PlanFacts } from '../../model/tiers.ts';
import { formatAgo } from '../format-usage.ts';

export interface KeyCardListing {
  id: string;
  name: string;
  last4: string;
  tier: string;
  state: 'active' | 'revoked' | 'expired';
  plan: KeyPlan;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  trialEndsAt: Date | null;
}

interface Props {
  listing: KeyCardListing;
  plans: PlanFacts;
  token: string;
  now: number;
  /** What is wrong with one of this key's forms. */
  refused: RefusedKeyForm | null;
}

export function KeyCard({ listing, plans, token, now, refused }: Props) {
  const { id, name, createdAt, lastUsedAt, expiresAt } = listing;
  const { label = listing.tier, opens = 0 } = plans.tiers.find(({ name: tier }) => tier === listing.tier) ?? {};
  const isOver = listing.trialEndsAt !== null && listing.trialEndsAt.getTime() <= now;
  const isClosed = isKeyClosed(listing, now);
  return (
    <article className="card stack" aria-labelledby={`key-${id}`}>
      <div className="key-head">
        <h3 id={`key-${id}`}>{name}</h3>
        <span className="cluster">
          <PlanState listing={listing} label={label} isOver={isOver} />
          {expiresAt ? (
            <Badge kind="warn">
              Replaced, expires <Moment at={expiresAt} />
            </Badge>
          ) : null}
        </span>
      </div>
      {isClosed && !expiresAt ? (
        <Notice kind="warn" title={listing.plan === 'inactive' ? 'This plan is not active.' : 'The trial is over.'}>
          Requests return 402 until you activate a plan. <a href="/dashboard/plans">View plans</a>
        </Notice>
      ) : null}
      <dl className="key-facts">
        <div>
          <dt>Key</dt>
          <dd>
            <code>{showKey(listing)}</code>
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Moment at={createdAt} as="day" />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd className="cluster">
            {formatAgo(lastUsedAt, now)}
            {lastUsedAt ? (
              <a href={`/dashboard/usage?key=${id}`}>
                View usage<span className="visually-hidden">: {name}</span>
              </a>
            ) : null}
          </dd>
        </div>
      </dl>
      <details>
        <summary>{`Allows ${opens} of ${plans.endpoints.length} endpoints`}</summary>
        <ul className="endpoint-list">
          {plans.endpoints.map(({ path, tiers }) => {
            const isOpen = tiers.some((tier) => tier === listing.tier);
            return (
              <li key={path}>
                <code className={isOpen ? '' : 'closed'}>{path}</code>
                {isOpen ? null : <span className="visually-hidden"> (needs a higher plan)</span>}
              </li>
            );
          })}
        </ul>
      </details>
      <KeyActions listing={listing} token={token} refused={refused} />
    </article>
  );
}

function PlanState({ listing, label, isOver }: { listing: KeyCardListing; label: string; isOver: boolean }) {
  const { plan, trialEndsAt } = listing;
  if (plan === 'test') return <Badge>{`Test, as ${label}`}</Badge>;
  if (isOver) return <Badge kind="warn">{`${label} trial, ended`}</Badge>;
  if (plan === 'trialing')
    return (
      <Badge>
        {label} trial
        {trialEndsAt ? (
          <>
            {' '}
            until <Moment at={trialEndsAt} />
          </>
        ) : null}
      </Badge>
    );
  return <Badge kind={plan === 'active' ? 'good' : 'warn'}>{label}</Badge>;
}

/** Keys that do not work any more: for who finds one in an old configuration. */
export function PastKeys({ keys }: { keys: readonly KeyCardListing[] }) {
  if (keys.length === 0) return null;
  return (
    <details>
      <summary>{`Past keys (${keys.length})`}</summary>
      <DataTable stacks caption="Past keys" head={['Name', 'Key', 'Created', 'Ended']}>
        {keys.map(({ id, name, last4, plan, createdAt, revokedAt, expiresAt }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>
              <code>{showKey({ id, plan, last4 })}</code>
            </td>
            <td>
              <Moment at={createdAt} as="day" />
            </td>
            <td>
              {revokedAt ? 'revoked ' : expiresAt ? 'replaced ' : ''}
              {revokedAt || expiresAt ? <Moment at={(revokedAt ?? expiresAt) as Date} as="day" /> : null}
            </td>
          </tr>
        ))}
      </DataTable>
    </details>
  );
}

interface KeyActionsProps {
  listing: { id: string; name: string; expiresAt: Date | null };
  token: string;
  /** What is wrong with one of this key's forms. */
  refused: RefusedKeyForm | null;
}

/** The forms that rename, rotate and revoke a key. A key that was rotated cannot be rotated again. */
function KeyActions({ listing: { id, name, expiresAt }, token, refused }: KeyActionsProps) {
  const errorsOf = (intent: string) => (refused?.intent === intent ? refused.errors : undefined);
  return (
    <div className="key-acts">
      <details open={errorsOf('rename') !== undefined}>
        <summary className="button small">
          Rename<span className="visually-hidden"> {name}</span>
        </summary>
        <PostForm errors={errorsOf('rename')} action="/dashboard/keys" className="form inline">
          <input type="hidden" name="id" value={id} />
          <Field
            label="New name"
            name="name"
            defaultValue={refused?.intent === 'rename' ? refused.name : name}
            maxLength={100}
            autoComplete="off"
            required
            error={errorsOf('rename')?.name}
          />
          <Submit intent="rename">Rename key</Submit>
        </PostForm>
      </details>
      {expiresAt ? null : <RotateForm id={id} name={name} token={token} errors={errorsOf('rotate')} />}
      <details>
        <summary className="button small danger">
          Revoke<span className="visually-hidden"> {name}</span>
        </summary>
        <PostForm errors={errorsOf('revoke')} action="/dashboard/keys" className="form">
          <input type="hidden" name="id" value={id} />
          <p>
            Requests with <strong>{name}</strong> are rejected within a second. You cannot undo this. The plan stays, and you can
            create a new key for it.
          </p>
          <p>
            <Submit intent="revoke" kind="danger">
              Revoke key permanently
            </Submit>
          </p>
        </PostForm>
      </details>
    </div>
  );
}

interface RotateProps {
  id: string;
  name: string;
  token: string;
  errors: Record<string, string> | undefined;
}

function RotateForm({ id, name, token, errors }: RotateProps) {
  return (
    <details open={errors !== undefined}>
      <summary className="button small">
        Rotate<span className="visually-hidden"> {name}</span>
      </summary>
      <PostForm errors={errors} token={token} action="/dashboard/keys" className="form">
        <input type="hidden" name="id" value={id} />
        <p>You get a new key on the same plan immediately. Until the old key expires, both share one quota.</p>
        <Choice label="Old key expires" name="grace" defaultValue="24h" options={GRACES} error={errors?.grace} />
        <p>
          <Submit intent="rotate">Rotate key</Submit>
        </p>
      </PostForm>
    </details>
  );
}

const GRACES = [
  { value: '0', text: 'immediately' },
  { value: '1h', text: 'in one hour' },
  { value: '24h', text: 'in 24 hours' },
  { value: '7d', text: 'in 7 days' },
] as const;
