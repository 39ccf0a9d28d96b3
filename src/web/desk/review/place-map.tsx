import type { DrawnMap } from '../../model/desk/drawings.ts';

/** Borders of neighborhoods and the places of both listings; what it shows is said beneath. */
export function PlaceMap({ drawn: { width, height, areas, labels, marks, scale, says } }: { drawn: DrawnMap }) {
  const [first, second] = marks;
  return (
    <figure className="stack tight">
      <svg className="place-map" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Map. ${says}`}>
        {areas.map(({ name, path }) => (
          <path key={name} className="area" d={path} />
        ))}
        {labels.map(({ x, y, text }) => (
          <text key={text} className="area-name" x={x} y={y} textAnchor="middle">
            {text}
          </text>
        ))}
        {first && second ? <line className="between" x1={first.x} y1={first.y} x2={second.x} y2={second.y} /> : null}
        {marks.map(({ letter, x, y }, i) => {
          // Flags lean away from each other, so that two marks on one spot are both read.
          const lean = i === 0 ? -1 : 1;
          return (
            <g key={letter} className={`place-mark ${letter.toLowerCase()}`}>
              <path d={`M${x} ${y}L${x + lean * 14} ${y - 20}`} />
              <circle cx={x} cy={y} r="4" />
              <circle className="flag" cx={x + lean * 16} cy={y - 26} r="11" />
              <text x={x + lean * 16} y={y - 21.5} textAnchor="middle">
                {letter}
              </text>
            </g>
          );
        })}
        <g className="map-scale">
          <path d={`M14 ${height - 20}v6h${scale.width}v-6`} />
          <text x={14 + scale.width + 8} y={height - 12}>
            {scale.text}
          </text>
        </g>
      </svg>
      <figcaption className="small quiet">{says}</figcaption>
    </figure>
  );
}
