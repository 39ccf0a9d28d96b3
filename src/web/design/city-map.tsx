import { AREAS_PATH, type DrawnMap, type MapRecord, type RecordMap } from '../model/map.ts';
import { useSourceLanguage, useText } from './use-language.ts';
import { useRoot } from './use-root.ts';
import './city-map.css';

interface Props {
  /** What the map shows: "Events in Brooklyn". */
  label: string;
  records: readonly MapRecord[];
  /**
   * The surroundings, drawn by the server (`drawSurroundings` of `server/map-areas.ts`): shown until the reader opens the live map.
   * Without it, the map is live as soon as it is seen.
   */
  preview?: DrawnMap | null;
  /** False where the page lists the same records itself. */
  isListed?: boolean;
  /** The name of the area that the preview is about. */
  current?: string;
  /** The map asks for a point, on request: `field` of the form around it gets latitude and longitude. */
  picks?: { field: string; center: { latitude: number; longitude: number }; label: string };
}

/** A map of records. Without scripts it is a list, and its preview. It works on pages without scripts of React (`isStatic`), too. */
export function CityMap({ label, records, preview = null, isListed = true, current, picks }: Props) {
  const text = useText();
  const language = useSourceLanguage();
  const { tiles, attribution } = useRoot()?.map ?? { tiles: null, attribution: null };
  const texts = {
    label,
    open: text('map.open'),
    zoomIn: text('map.zoomIn'),
    zoomOut: text('map.zoomOut'),
    close: text('map.close'),
    several: text('map.several', { count: '{count}' }),
    unavailable: text('map.unavailable'),
  };
  return (
    <>
      <script async type="module" src={SCRIPT} />
      <city-map
        class={preview || picks ? 'city-map small-map' : 'city-map'}
        opens-on-request={preview || picks ? '' : undefined}
        data-texts={JSON.stringify(texts)}
        data-tiles={tiles ?? undefined}
        data-attribution={attribution ?? undefined}
        data-areas={AREAS_PATH}
        data-picks={picks?.field}
        data-center={picks && `${picks.center.latitude},${picks.center.longitude}`}
        data-pin-label={picks?.label}
      >
        {preview ? <MapPreview drawn={preview} label={label} {...(current !== undefined && { current })} /> : null}
        <ul className="map-records" hidden={!isListed}>
          {records.map(({ id, latitude, longitude, title, href, note, category }) => (
            <li key={id} data-latitude={latitude} data-longitude={longitude} data-category={category}>
              <a href={href} lang={language}>
                {title}
              </a>
              {note ? (
                <span className="small quiet" data-note>
                  {note}
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      </city-map>
    </>
  );
}

/** As the build names it (`vite.config.ts`). */
const SCRIPT = import.meta.env.CITY_MAP_SCRIPT as string;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'city-map': DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & {
        class?: string;
        'opens-on-request'?: string | undefined;
        'data-texts': string;
        'data-tiles': string | undefined;
        'data-attribution': string | undefined;
        'data-areas': string;
        'data-picks'?: string | undefined;
        'data-center'?: string | undefined;
        'data-pin-label'?: string | undefined;
      };
    }
  }
}

/** Borders of neighborhoods around a place, with a mark: what is seen before the live map, and without scripts. */
function MapPreview({
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

interface RecordMapViewProps extends Omit<MapRecord, 'latitude' | 'longitude'> {
  /** Null: nothing is shown. */
  map: RecordMap | null;
  /** Of the place. */
  name: string;
}

/** Where one event or venue is: drawn by the server, live when its reader opens it. */
export function RecordMapView({ map, name, ...record }: RecordMapViewProps) {
  const text = useText();
  if (!map) return null;
  const { latitude, longitude, preview } = map;
  return (
    <CityMap label={text('map.of', { name })} records={[{ ...record, latitude, longitude }]} preview={preview} isListed={false} />
  );
}
