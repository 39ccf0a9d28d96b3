import type { ReactNode } from 'react';
import { formatNumber } from '../model/format.ts';
import type { PlanFacts } from '../model/tiers.ts';
import { DataTable } from './table.tsx';

/** The tiers side by side: prices, limits, and which endpoints each opens. */
export function TierTable({ plans: { tiers, endpoints, extras, trial } }: { plans: PlanFacts }) {
  return (
    <DataTable
      caption="Limits and endpoints of each tier"
      className="tiers"
      head={['Feature', ...tiers.map(({ label }) => ({ text: label, number: true as const }))]}
    >
      <Row name="Price a month" values={tiers.map(({ priceUsd }) => `$${priceUsd}`)} />
      <Row name="Requests a day (UTC)" values={tiers.map(({ perDay }) => formatNumber(perDay))} />
      <Row name="Requests in any 60 seconds" values={tiers.map(({ perMinute }) => formatNumber(perMinute))} />
      <Row name="Free trial" values={tiers.map(({ label }) => (label === trial.tier ? `${trial.days} days` : NO))} />
      {endpoints.map(({ path, summary, metered, tiers: opened }) => (
        <Row
          key={path}
          name={
            <>
              <code>{path}</code> <span className="quiet small">{metered ? summary : `${summary}; not counted`}</span>
            </>
          }
          values={tiers.map(({ name }) => (opened.includes(name) ? YES : NO))}
        />
      ))}
      {extras.map(({ name, isComing, tiers: opened }) => (
        <Row key={name} name={name} values={tiers.map((tier) => (opened.includes(tier.name) ? (isComing ? COMING : YES) : NO))} />
      ))}
      <Row name="Commercial use" values={tiers.map(() => YES)} />
    </DataTable>
  );
}

function Row({ name, values }: { name: ReactNode; values: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {values.map((value, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one for each tier, in their order
        <td key={i} className={value === NO ? 'number quiet' : 'number'}>
          {value === YES ? <Included /> : value === NO ? <NotIncluded /> : value}
        </td>
      ))}
    </tr>
  );
}

const Included = () => (
  <svg className="includes" viewBox="0 0 16 16" role="img" aria-label="yes" fill="none" stroke="currentColor" strokeWidth="2.2">
    <path d="M2.5 8.5l3.7 4L13.5 4" />
  </svg>
);

const NotIncluded = () => (
  <>
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">no</span>
  </>
);

const YES = 'yes';
const NO = 'no';
const COMING = 'Coming';
