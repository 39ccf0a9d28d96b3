import { useLoaderData } from 'react-router';
import { KeyButton } from '../design/forms/key-button.tsx';
import { TierTable } from '../design/tier-table.tsx';
import { formatNumber } from '../model/format.ts';
import { readTiers } from '../server/tiers.ts';
import './pricing.css';

export const handle = { isStatic: true };

export const loader = () => readTiers();

export default function Pricing() {
  const plans = useLoaderData<typeof loader>();
  const { tiers, endpoints, extras, trial } = plans;
  return (
    <div className="column gap stack loose">
      <title>Pricing · Marquee</title>
      <meta
        name="description"
        content={`${tiers.length} tiers at one price a month, without a charge per request. ${trial.days} days free.`}
      />
      <header className="stack">
        <p className="eyebrow">Pricing</p>
        <h1>One price a month. No charge per request.</h1>
        <p className="lead">
          Everyone starts with {trial.days} days of {trial.tier}, free and without a card. You choose a tier for each key, and can
          change it at any time.
        </p>
      </header>
      <ul className="stubs">
        {tiers.map(({ name, label, priceUsd, perDay, perMinute, opens }) => (
          <li key={name} className="stub">
            <h2>{label}</h2>
            <p className="stub-price">
              <span className="figure">${priceUsd}</span> <span className="quiet">a month</span>
            </p>
            <ul className="stub-lines">
              <li>
                <strong>{formatNumber(perDay)}</strong> requests a day
              </li>
              <li>
                <strong>{formatNumber(perMinute)}</strong> requests in any 60 seconds
              </li>
              <li>
                <strong>{opens}</strong> of {endpoints.length} endpoints
              </li>
              {extras
                .filter(({ tiers }) => tiers.includes(name))
                .map((extra) => (
                  <li key={extra.name} className={extra.isComing ? 'quiet' : undefined}>
                    {extra.name}
                    {extra.isComing ? ' (coming)' : ''}
                  </li>
                ))}
            </ul>
            <KeyButton kind={label === trial.tier ? 'primary' : ''}>
              {label === trial.tier ? `Try ${trial.days} days free` : 'Get a key'}
            </KeyButton>
          </li>
        ))}
      </ul>
      <section className="stack" aria-labelledby="compare">
        <h2 id="compare">Compare tiers</h2>
        <TierTable plans={plans} />
      </section>
      <Questions trialDays={trial.days} />
    </div>
  );
}

function Questions({ trialDays }: { trialDays: number }) {
  return (
    <section className="stack" aria-labelledby="questions">
      <h2 id="questions">Questions</h2>
      <dl className="questions">
        <Question title={`What happens after the ${trialDays} days?`}>
          Nothing is charged and nothing is deleted. Requests return <Code>402</Code> (<ErrorLink code="trial_expired" />) until
          you choose a tier. Then the same key works again. We email you before the trial ends.
        </Question>
        <Question title="What does 402 mean?">
          The key is valid but has no active plan. Either its trial is over (<ErrorLink code="trial_expired" />) or its
          subscription is not active (<ErrorLink code="subscription_inactive" />
          ). Open the <Code>upgradeUrl</Code> of the response to choose a plan.
        </Question>
        <Question title="What does 429 mean?">
          You reached the limit per minute (<ErrorLink code="rate_limit_minute" />) or per day (
          <ErrorLink code="rate_limit_day" />
          ). Wait the seconds given in <Code>Retry-After</Code>. A rejected request is not billed and never delays the next
          request.
        </Question>
        <Question title="How exact are the limits?">
          Exact. In any 60 seconds, Marquee never admits more requests than the tier allows. A client that stays within the limit
          is never rejected. The day ends at midnight UTC.
        </Question>
        <Question title="What is counted?">
          Every request with a valid key that passes the limits, including 304 and 4xx responses. Not counted: rate-limited
          requests, requests without a valid key, <Code>/usage</Code>, and errors on our side.
        </Question>
        <Question title="When does a change of tier take effect?">Within a second, on the key you already use.</Question>
        <Question title="Can I have several keys?">
          Yes. Each key has its own tier and its own counters. A rotated key keeps its counters: the old and the new key share one
          quota.
        </Question>
      </dl>
    </section>
  );
}

function Question({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const Code = ({ children }: { children: string }) => <code>{children}</code>;

/** To the paragraph of a refusal. */
function ErrorLink({ code }: { code: string }) {
  return (
    <a href={`/docs/errors#${code}`}>
      <code>{code}</code>
    </a>
  );
}
