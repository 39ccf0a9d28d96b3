/** How the base of a map looks: quiet, in the colors of the page, so that the marks stand out. */

import type { LayerSpecification, SourceSpecification, StyleSpecification, SymbolLayerSpecification } from 'maplibre-gl';

export interface MapColors {
  land: string;
  green: string;
  water: string;
  road: string;
  building: string;
  border: string;
  text: string;
  halo: string;
}

export interface TileArchive {
  /** With `{z}`, `{x}` and `{y}`. */
  url: string;
  minZoom: number;
  maxZoom: number;
  /** Names of the layers in its tiles. */
  layers: readonly string[];
}

/** Tiles in the schema of Protomaps or of OpenMapTiles: the names of their layers tell which. */
export function tilesStyle(
  { url, minZoom, maxZoom, layers }: TileArchive,
  colors: MapColors,
  language: string,
): StyleSpecification {
  const schema = SCHEMAS.find(({ roads }) => layers.includes(roads)) ?? SCHEMAS[0];
  const source: SourceSpecification = { type: 'vector', tiles: [url], minzoom: minZoom, maxzoom: maxZoom };
  const drawn = schema.layers(colors, ['coalesce', ['get', `name:${language}`], ['get', 'name']]);
  const known = drawn.filter((layer) => layers.includes((layer as { 'source-layer'?: string })['source-layer'] ?? ''));
  return { version: 8, sources: { [SOURCE]: source }, layers: [background(colors), ...known] };
}

/** The neighborhoods with their names. */
export function areasStyle(url: string, { land, border, text, halo, building }: MapColors): StyleSpecification {
  const source = SOURCE;
  return {
    version: 8,
    sources: { [source]: { type: 'geojson', data: url } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': building } },
      { id: 'areas', type: 'fill', source, filter: POLYGONS, paint: { 'fill-color': land } },
      {
        id: 'borders',
        type: 'line',
        source,
        filter: POLYGONS,
        paint: { 'line-color': border, 'line-width': 1, 'line-opacity': 0.6 },
      },
      {
        id: 'names',
        type: 'symbol',
        source,
        filter: ['==', ['geometry-type'], 'Point'],
        layout: { ...LABEL, 'text-field': ['get', 'name'] },
        paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 },
      },
    ],
  };
}

/** Marks are buttons above the map. In its style they are signs that nobody sees: names are placed around them. */
export function withMarks(style: StyleSpecification, places: MarkPlaces): StyleSpecification {
  const layer: SymbolLayerSpecification = {
    id: MARKS,
    type: 'symbol',
    source: MARKS,
    layout: { 'text-font': FONT, 'text-field': '●', 'text-size': MARK_PIXELS, 'text-allow-overlap': true, 'text-padding': 0 },
    paint: { 'text-opacity': 0 },
  };
  const source: SourceSpecification = { type: 'geojson', data: places };
  return { ...style, sources: { ...style.sources, [MARKS]: source }, layers: [...style.layers, layer] };
}

export interface MarkPlaces {
  type: 'FeatureCollection';
  features: {
    type: 'Feature';
    properties: null;
    geometry: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  }[];
}

export function markPlaces(places: readonly { longitude: number; latitude: number }[]): MarkPlaces {
  const features = places.map(({ longitude, latitude }) => {
    const geometry = { type: 'Point' as const, coordinates: [longitude, latitude] as [number, number] };
    return { type: 'Feature' as const, properties: null, geometry };
  });
  return { type: 'FeatureCollection', features };
}

type Name = ['coalesce', ['get', string], ['get', string]];
interface Schema {
  /** Only this schema has it. */
  roads: string;
  layers(colors: MapColors, name: Name): LayerSpecification[];
}

const SOURCE = 'base';
/** A source and its layer. */
export const MARKS = 'marks';
/** As wide as a mark of several records. */
const MARK_PIXELS = 36;
const POLYGONS = ['!=', ['geometry-type'], 'Point'] as ['!=', ['geometry-type'], string];
const FONT = ['Text', 'Text in Arial', 'system-ui'];
const LABEL: SymbolLayerSpecification['layout'] = {
  'text-font': FONT,
  'text-size': 12,
  'text-max-width': 7,
  'text-padding': 4,
  // Where a mark is in the way, beside it. Ems.
  'text-variable-anchor-offset': [
    ...['center', [0, 0], 'top', [0, 1.2], 'bottom', [0, -1.2], 'left', [1.4, 0], 'right', [-1.4, 0]],
    ...['top-left', [1.2, 1], 'top-right', [-1.2, 1], 'bottom-left', [1.2, -1], 'bottom-right', [-1.2, -1]],
  ] as (string | [number, number])[],
};

const background = ({ land }: MapColors): LayerSpecification => ({
  id: 'background',
  type: 'background',
  paint: { 'background-color': land },
});

const fill = (id: string, layer: string, color: string, filter?: unknown): LayerSpecification =>
  ({
    id,
    type: 'fill',
    source: SOURCE,
    'source-layer': layer,
    ...(filter !== undefined && { filter }),
    paint: { 'fill-color': color },
  }) as LayerSpecification;

const line = (id: string, layer: string, color: string, width: unknown, filter?: unknown): LayerSpecification =>
  ({
    id,
    type: 'line',
    source: SOURCE,
    'source-layer': layer,
    ...(filter !== undefined && { filter }),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': color, 'line-width': width },
  }) as LayerSpecification;

const label = (id: string, layer: string, { text, halo }: MapColors, name: Name, more: object = {}): LayerSpecification =>
  ({
    id,
    type: 'symbol',
    source: SOURCE,
    'source-layer': layer,
    layout: { ...LABEL, 'text-field': name, ...more },
    paint: { 'text-color': text, 'text-halo-color': halo, 'text-halo-width': 1.5 },
  }) as LayerSpecification;

const isAny = (property: string, ...values: string[]) => ['in', ['get', property], ['literal', values]];
const width = (far: number, near: number) => ['interpolate', ['exponential', 1.6], ['zoom'], 9, far, 18, near];
const GREEN = ['park', 'forest', 'wood', 'grass', 'grassland', 'cemetery', 'nature_reserve', 'national_park', 'golf_course'];

const SCHEMAS: readonly [Schema, ...Schema[]] = [
  {
    roads: 'roads',
    layers: (colors, name) => [
      fill('earth', 'earth', colors.land),
      fill('green', 'landuse', colors.green, isAny('kind', ...GREEN)),
      fill('water', 'water', colors.water, ['==', ['geometry-type'], 'Polygon']),
      fill('buildings', 'buildings', colors.building),
      line('minor', 'roads', colors.road, width(0.3, 10), isAny('kind', 'minor_road', 'path', 'other')),
      line('rail', 'roads', colors.border, width(0.3, 2), ['==', ['get', 'kind'], 'rail']),
      line('major', 'roads', colors.road, width(1, 18), isAny('kind', 'major_road', 'highway')),
      line('boundaries', 'boundaries', colors.border, 1),
      label('streets', 'roads', colors, name, { 'symbol-placement': 'line', 'text-size': 11 }),
      label('places', 'places', colors, name),
    ],
  },
  {
    roads: 'transportation',
    layers: (colors, name) => [
      fill('green', 'landcover', colors.green, isAny('class', ...GREEN)),
      fill('parks', 'park', colors.green),
      fill('water', 'water', colors.water),
      fill('buildings', 'building', colors.building),
      line('minor', 'transportation', colors.road, width(0.3, 10), ['!', isAny('class', 'motorway', 'trunk', 'primary', 'rail')]),
      line('rail', 'transportation', colors.border, width(0.3, 2), ['==', ['get', 'class'], 'rail']),
      line('major', 'transportation', colors.road, width(1, 18), isAny('class', 'motorway', 'trunk', 'primary')),
      line('boundaries', 'boundary', colors.border, 1),
      label('streets', 'transportation_name', colors, name, { 'symbol-placement': 'line', 'text-size': 11 }),
      label('places', 'place', colors, name),
    ],
  },
];
