import type { DrawnTimeline } from '../../model/desk/drawings.ts';

/** Both events on the city's clocks; what it shows is said beneath. */
export function Timeline({ drawn: { width, height, bars, ticks, axis, says } }: { drawn: DrawnTimeline }) {
  return (
    <figure className="stack tight">
      <svg className="timeline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Timeline. ${says}`}>
        {ticks.map(({ x, textX, text }) => (
          <g key={x} className="tick">
            <line x1={x} x2={x} y1="0" y2={axis} />
            <text x={textX} y={axis + 18} textAnchor="middle">
              {text}
            </text>
          </g>
        ))}
        <line className="axis" x1="0" x2={width} y1={axis} y2={axis} />
        {bars.map(({ letter, x, y, width: length, kind }) => (
          <g key={letter} className={`bar ${letter.toLowerCase()} ${kind}`}>
            <rect x={x} y={y} width={length} height="26" rx="5" />
            <text x={Math.min(x + length / 2, width - 10)} y={y + 18} textAnchor="middle">
              {letter}
            </text>
          </g>
        ))}
      </svg>
      <figcaption className="small quiet">{says}</figcaption>
    </figure>
  );
}
