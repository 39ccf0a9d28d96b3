import type { DrawnMap } from '../../model/desk/drawings.ts';

/** Borders of neighborhoods around a place, with a mark: what is seen before the live map, and without scripts. */
export function MapPreview({
  drawn: { width, height, areas, labels, marks },
  label,
  current,
}: {
  drawn: DrawnMap;
  label: string;
  /** The area that stands out. */
  current?: string;
}) {
  return (
    <svg
      slot="preview"
      className="map-preview"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label={label}
    >
      {areas.map(({ name, path }) => (
        <path key={name} d={path} className={name === current ? 'current' : undefined} />
      ))}
      {labels.map(({ x, y, text }) => (
        <text key={text} x={x} y={y} textAnchor="middle">
          {text}
        </text>
      ))}
      {marks.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="9" />
      ))}
    </svg>
  );
}
