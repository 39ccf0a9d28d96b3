import { DataTable } from './table.tsx';

export interface Bar {
  /** As the table names it, such as `21 Nov`. */
  label: string;
  value: number;
}

/** Numbers over time as bars, and the same numbers as a table below for who cannot see them. */
export function BarChart({ title, bars, unit }: { title: string; bars: readonly Bar[]; unit: string }) {
  const most = Math.max(...bars.map(({ value }) => value), 1);
  const top = niceCeiling(most);
  const step = WIDTH / Math.max(bars.length, 1);
  const each = Math.max(1, Math.ceil(bars.length / MOST_LABELS));
  return (
    <figure className="stack tight">
      <svg
        className="chart"
        viewBox={`-44 -8 ${WIDTH + 52} ${HEIGHT + 32}`}
        role="img"
        aria-label={`${title}: ${describe(bars, unit)}`}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line className="axis" x1="0" x2={WIDTH} y1={HEIGHT * (1 - share)} y2={HEIGHT * (1 - share)} />
            <text x="-8" y={HEIGHT * (1 - share) + 4} textAnchor="end">
              {(top * share).toLocaleString('en')}
            </text>
          </g>
        ))}
        {bars.map(({ label, value }, i) => {
          const height = (value / top) * HEIGHT;
          return (
            <g key={label}>
              <rect
                className="bar"
                x={i * step + step * 0.12}
                width={step * 0.76}
                y={HEIGHT - height}
                height={height}
                rx={Math.min(3, step * 0.2)}
              >
                <title>{`${label}: ${value.toLocaleString('en')} ${unit}`}</title>
              </rect>
              {i % each === 0 ? (
                <text x={i * step + step / 2} y={HEIGHT + 18} textAnchor="middle">
                  {label}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
      <details className="small">
        <summary>{title} as a table</summary>
        <DataTable caption={title} head={['When', { text: unit, number: true }]}>
          {bars.map(({ label, value }) => (
            <tr key={label}>
              <td>{label}</td>
              <td className="number">{value.toLocaleString('en')}</td>
            </tr>
          ))}
        </DataTable>
      </details>
    </figure>
  );
}

function describe(bars: readonly Bar[], unit: string): string {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const most = bars.reduce<Bar | null>((best, bar) => (best && best.value >= bar.value ? best : bar), null);
  return `${total.toLocaleString('en')} ${unit} in all${most && most.value > 0 ? `, most on ${most.label}: ${most.value.toLocaleString('en')}` : ''}`;
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

const WIDTH = 720;
const HEIGHT = 180;
const MOST_LABELS = 8;
