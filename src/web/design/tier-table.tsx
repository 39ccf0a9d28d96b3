import type { PlanFacts } from '../server/read-tiers.ts';
import { DataTable } from './table.tsx';

/** The tiers side by side: prices, limits, and which endpoints each opens. */
export function TierTable({ plans }: { plans: Pick<PlanFacts, 'tiers' | 'endpoints'> }) {
  const { tiers, endpoints } = plans;
  const figures = [
    { label: 'Price per month', of: (tier: (typeof tiers)[number]) => `${tier.priceUsd} USD` },
    { label: 'Requests per day (UTC)', of: (tier: (typeof tiers)[number]) => NUMBER.format(tier.perDay) },
    { label: 'Requests per minute', of: (tier: (typeof tiers)[number]) => NUMBER.format(tier.perMinute) },
  ];
  return (
    <DataTable caption="The plans compared" head={['What you get', ...tiers.map(({ label }) => label)]}>
      {figures.map(({ label, of }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {tiers.map((tier) => (
            <td key={tier.name}>{of(tier)}</td>
          ))}
        </tr>
      ))}
      {endpoints.map(({ path, tiers: open }) => (
        <tr key={path}>
          <th scope="row">
            <code>{path}</code>
          </th>
          {tiers.map(({ name }) => (
            <td key={name}>{open.includes(name) ? 'Yes' : <span className="quiet">No</span>}</td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}

const NUMBER = new Intl.NumberFormat('en-US');
