import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import type { KeyListing } from '../../../accounts/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Empty, Notice } from '../../design/notice.tsx';
import { ShownKey } from '../../design/shown-key.tsx';
import { isKeyClosed, type RefusedKeyForm } from '../../model/keys.ts';
import { newFormToken, readFormData, refusal } from '../../server/forms.ts';
import { changeKey, readOwned } from '../../server/keys.ts';
import { readTiers } from '../../server/tiers.ts';
import { KeyCard, type KeyCardListing, PastKeys } from './key-card.tsx';
import { TestKeys } from './test-keys.tsx';
import '../dashboard.css';
import { useId } from 'react';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Pager } from '../../design/pager.tsx';
import { formatNumber } from '../../model/format.ts';
import type { PlanFacts } from '../../model/tiers.ts';

export async function loader(page: LoaderFunctionArgs) {
  const { owner, keys, rooms } = await readOwned(page);
  const [listing, choices] = await Promise.all([keys.list(owner.accountId), keys.choices(owner.accountId)]);
  const done = new URL(page.request.url).searchParams;
  // A replaced key comes after the key that replaced it.
  const active = listing.filter(({ state }) => state === 'active');
  const live = active.filter(({ plan }) => plan !== 'test');
  const inOrder = [...live.filter((key) => !key.expiresAt), ...live.filter((key) => key.expiresAt)];
  const now = rooms.clocks.directory();
  const isClosed = (key: KeyListing) => isKeyClosed(key, now);
  // Keys that work come first: the pages of both kinds are one list.
  const shown = [...inOrder.filter((key) => !isClosed(key)), ...inOrder.filter(isClosed)];
  const pages = Math.max(1, Math.ceil(shown.length / KEYS_A_PAGE));
  const at = Math.min(pages, Math.max(1, Math.trunc(Number(done.get('page'))) || 1));
  const named = (id: string | null) => listing.find((key) => key.id === id)?.name;
  const onPage = shown.slice((at - 1) * KEYS_A_PAGE, at * KEYS_A_PAGE);
  return {
    hasKeys: shown.length > 0,
    working: onPage.filter((key) => !isClosed(key)),
    closed: onPage.filter(isClosed),
    test: active.filter(({ plan }) => plan === 'test'),
    past: listing.filter(({ state }) => state !== 'active').slice(-MAX_PAST),
    at,
    pages,
    choices,
    plans: readTiers(),
    token: newFormToken(),
    now,
    done: { revoked: named(done.get('revoked')), renamed: named(done.get('renamed')) },
  };
}

export async function action(page: ActionFunctionArgs) {
  const owned = await readOwned(page);
  const outcome = await changeKey(owned, await readFormData(page.request));
  if (outcome.kind === 'unknown') throw refusal(404, 'Key not found.');
  if (outcome.kind === 'done') return redirect(`/dashboard/keys?${outcome.what}=${outcome.id}`, 303);
  return data(outcome, { status: outcome.kind === 'refused' ? 400 : 200, headers: { 'Cache-Control': 'no-store' } });
}

export default function Keys() {
  const { hasKeys, working, closed, test, past, at, pages, choices, plans, token, now, done } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  const refused = outcome?.kind === 'refused' ? outcome : null;
  const shown = outcome?.kind === 'shown' ? outcome : null;
  const cardOf = (key: KeyCardListing) => (
    <KeyCard key={key.id} listing={key} plans={plans} token={token} now={now} refused={refused?.id === key.id ? refused : null} />
  );
  return (
    <>
      <PageHead
        title="Keys"
        actions={
          hasKeys ? (
            <a className="button" href="#new">
              New key
            </a>
          ) : null
        }
      >
        Each key has its own plan and quota. Changes take effect within a second.
      </PageHead>
      {shown ? <ShownKey key={shown.key} shown={shown} /> : null}
      {!shown && done.revoked ? (
        <Notice kind="good" title={`${done.revoked} is revoked.`}>
          Requests with this key are now rejected.
        </Notice>
      ) : null}
      {!shown && done.renamed ? <Notice kind="good" title={`The key is now called ${done.renamed}.`} /> : null}
      {working.length > 0 || !hasKeys ? (
        <section className="stack" aria-labelledby="working">
          <h2 id="working">Active keys</h2>
          {hasKeys ? null : (
            <Empty title="No API keys yet">
              <p>Create a key below. It works within a second.</p>
            </Empty>
          )}
          {working.map(cardOf)}
        </section>
      ) : null}
      {closed.length > 0 ? (
        <section className="stack" aria-labelledby="closed">
          <h2 id="closed">Keys without an active plan</h2>
          {closed.map(cardOf)}
        </section>
      ) : null}
      <Pager label="Pages of keys" page={at} pages={pages} />
      <CreateForm
        key={token}
        choices={choices}
        plans={plans}
        token={token}
        refused={refused?.id === null && !refused.plan.startsWith('test:') ? refused : null}
      />
      <TestKeys keys={test} open={choices.test} plans={plans} token={token} now={now} refused={refused} />
      <PastKeys keys={past} />
    </>
  );
}

interface Choices {
  free: string | null;
  keyless: { subscriptionId: string; tier: string; plan: string }[];
}

interface Option {
  value: string;
  title: string;
  text: string;
}

function CreateForm({
  choices,
  plans,
  token,
  refused,
}: {
  choices: Choices;
  plans: PlanFacts;
  token: string;
  refused: RefusedKeyForm | null;
}) {
  const options = optionsOf(choices, plans);
  const chosen = options.some(({ value }) => value === refused?.plan) ? refused?.plan : options[0]?.value;
  const id = useId();
  const wrongPlan = refused?.errors.plan;
  return (
    <section className="card stack" aria-labelledby="new">
      <h2 id="new">New key</h2>
      <p className="quiet">Each key has its own plan and quota. To replace a key, rotate it instead.</p>
      <PostForm errors={refused?.errors} token={token} action="/dashboard/keys">
        <Field
          label="Name"
          name="name"
          hint="Only you see it: the project or machine that will use the key."
          autoComplete="off"
          maxLength={100}
          required
          defaultValue={refused?.name ?? ''}
          error={refused?.errors.name}
        />
        <fieldset className="field" aria-describedby={wrongPlan ? `${id}-error` : undefined}>
          <legend>Plan</legend>
          <div className="plan-choices">
            {options.map(({ value, title, text }) => (
              <label key={value}>
                <input type="radio" name="plan" value={value} defaultChecked={value === chosen} />
                <strong>{title}</strong>
                <small>{text}</small>
              </label>
            ))}
          </div>
          {wrongPlan ? (
            <span className="error" id={`${id}-error`}>
              {wrongPlan}
            </span>
          ) : null}
        </fieldset>
        <p>
          <Submit intent="create">Create key</Submit>
        </p>
      </PostForm>
    </section>
  );
}

function optionsOf({ free, keyless }: Choices, { tiers, extras, trial }: PlanFacts): Option[] {
  const tierOf = (name: string) => tiers.find((tier) => tier.name === name);
  const limits = (name: string) => {
    const tier = tierOf(name);
    return tier ? `${formatNumber(tier.perDay)} requests a day, ${formatNumber(tier.perMinute)} a minute` : '';
  };
  const options: Option[] = [];
  if (free === 'trial') {
    options.push({
      value: 'free',
      title: `${trial.days}-day trial, free`,
      text: `${trial.tier}: ${limits('starter')}. No card.`,
    });
  } else if (free) {
    options.push({ value: 'free', title: `${tierOf(free)?.label}, already yours`, text: limits(free) });
  }
  for (const { subscriptionId, tier, plan } of keyless) {
    // One that ended, or was never paid, is no better than a new one.
    if (plan === 'inactive') continue;
    const state = plan === 'trialing' ? 'trial' : 'plan';
    options.push({
      value: `subscription:${subscriptionId}`,
      title: `Your ${tierOf(tier)?.label} ${state}, which has no key`,
      text: `${limits(tier)}. Requests already used today still count.`,
    });
  }
  for (const { name, label, priceUsd } of tiers) {
    options.push({
      value: `tier:${name}`,
      title: `${label}, $${priceUsd} a month`,
      text: `${limits(name)}. The key works once the plan is active.${comingTo(extras, name)}`,
    });
  }
  return options;
}

/** Said where a plan is chosen: what it does not have yet. */
function comingTo(extras: PlanFacts['extras'], tier: string): string {
  const coming = extras.filter(({ isComing, tiers }) => isComing && tiers.some((each) => each === tier));
  return coming.length === 0 ? '' : ` Coming: ${coming.map(({ name }) => name.toLowerCase()).join(', ')}.`;
}

const KEYS_A_PAGE = 25;
/** The latest; older ones nobody looks for. */
const MAX_PAST = 100;
