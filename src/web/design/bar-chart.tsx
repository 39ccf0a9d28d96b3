import { formatNumber } from '../model/format.ts';
import { DataTable } from './table.tsx';

export interface Bar {
  /** As the table names it, such as `21 Nov`. */
  label: string;
  value: number;
  /** The text below it; empty for none. If no bar has one, some labels are there. */
  tick?: string;
}

/**
 * Numbers over time as bars, and the same numbers as a table below for who cannot see them. Widths are parts of the whole, so that the
 * letters keep their size on any screen.
 */
export function BarChart({ title, bars, unit }: { title: string; bars: readonly Bar[]; unit: string }) {
  const top = niceCeiling(Math.max(...bars.map(({ value }) => value), 1));
  const step = 100 / Math.max(bars.length, 1);
  const lines = [0, top / 2, top].filter(Number.isInteger).map((value) => ({ value, y: yOf(value, top) }));
  return (
    <figure className="stack tight">
      <div className="chart" role="img" aria-label={`${title}: ${describe(bars, unit)}`}>
        <svg className="chart-scale" height={HEIGHT + BELOW} aria-hidden="true">
          {lines.map(({ value, y }) => (
            <text key={value} x="100%" y={y + 4} textAnchor="end">
              {formatNumber(value)}
            </text>
          ))}
        </svg>
        <svg className="chart-bars" height={HEIGHT + BELOW} aria-hidden="true">
          {lines.map(({ value, y }) => (
            <line key={value} className="axis" x1="0" x2="100%" y1={y} y2={y} />
          ))}
          {bars.map(({ label, value }, i) => (
            <rect
              key={label}
              className="bar"
              x={`${i * step + step * 0.12}%`}
              width={`${step * 0.76}%`}
              y={yOf(value, top)}
              height={HEIGHT - yOf(value, top)}
              rx={bars.length > MANY_BARS ? 1 : 3}
            >
              <title>{`${label}: ${formatNumber(value)} ${unit}`}</title>
            </rect>
          ))}
          {ticksOf(bars).map(({ text, at }) => (
            <text key={text + at} x={`${(at + 0.5) * step}%`} y={HEIGHT + 18} textAnchor="middle">
              {text}
            </text>
          ))}
        </svg>
      </div>
      <details className="small">
        <summary>{title} as a table</summary>
        <DataTable caption={title} head={['When', { text: unit, number: true }]}>
          {bars.map(({ label, value }) => (
            <tr key={label}>
              <td>{label}</td>
              <td className="number">{formatNumber(value)}</td>
            </tr>
          ))}
        </DataTable>
      </details>
    </figure>
  );
}

const yOf = (value: number, top: number): number => ABOVE + (HEIGHT - ABOVE) * (1 - value / top);

/** As they were given; else every so many, counted from the end, where the news is. */
function ticksOf(bars: readonly Bar[]): { text: string; at: number }[] {
  const all = bars.map(({ label, tick }, at) => ({ text: tick ?? label, at, isGiven: tick !== undefined }));
  if (all.some(({ isGiven }) => isGiven)) return all.filter(({ text, isGiven }) => isGiven && text !== '');
  const each = Math.max(1, Math.ceil(bars.length / MAX_LABELS));
  return all.filter(({ at }) => (bars.length - 1 - at) % each === Math.floor((each - 1) / 2));
}

function describe(bars: readonly Bar[], unit: string): string {
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const most = bars.reduce<Bar | null>((best, bar) => (best && best.value >= bar.value ? best : bar), null);
  return `${formatNumber(total)} ${unit} in total${most && most.value > 0 ? `, most on ${most.label}: ${formatNumber(most.value)}` : ''}`;
}

/** The next of 1, 2, 4, 6, 8, 10, 20, 30, 40 … */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return (FACTORS.find((factor) => factor * power >= value && (power > 1 || factor % 2 === 0 || factor === 1)) ?? 10) * power;
}

const FACTORS = [1, 2, 3, 4, 5, 6, 8, 10] as const;
/** CSS pixels; `ABOVE` and `BELOW` have room for letters. */
const HEIGHT = 190;
const ABOVE = 8;
const BELOW = 26;
/** As many as fit on a phone. */
const MAX_LABELS = 5;
/** More of them are too thin for round corners. */
const MANY_BARS = 31;
