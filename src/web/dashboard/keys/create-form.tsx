import { useId } from 'react';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { formatNumber } from '../../model/format.ts';
import type { RefusedKeyForm } from '../../model/keys.ts';
import type { PlanFacts } from '../../model/tiers.ts';

interface Choices {
  free: string | null;
  keyless: { subscriptionId: string; tier: string; plan: string }[];
}

interface Option {
  value: string;
  title: string;
  text: string;
}

export function CreateForm({
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
