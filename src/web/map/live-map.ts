/** The map itself: MapLibre GL over tiles or neighborhoods, with a mark for each place. Loaded only where a map is opened. */

import { addProtocol, type GeoJSONSource, Map as MapLibreMap, type StyleSpecification, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-csp-worker.js?url';
import { PMTiles, Protocol } from 'pmtiles';
import type { MapTexts } from './city-map.ts';
import { openMarks } from './map-marks.ts';
import { boundsOfPick, openPin, type PickSettings } from './map-pin.ts';
import type { MapStage } from './map-stage.ts';
import { areasStyle, MARKS, type MapColors, markPlaces, type TileArchive, tilesStyle, withMarks } from './map-style.ts';
import type { ListedRecord } from './read-records.ts';

interface LiveMapOptions {
  stage: MapStage;
  records: readonly ListedRecord[];
  texts: MapTexts;
  /** Null: the neighborhoods are the base. */
  tiles: string | null;
  areas: string;
  attribution: string;
  language: string;
  /** The map asks for a point. */
  pick: PickSettings | null;
}

export interface LiveMap {
  close(): void;
}

/** Resolves when the first view is drawn; rejects if that cannot be. */
export async function openLiveMap(options: LiveMapOptions): Promise<LiveMap> {
  const { stage, records, texts, attribution, pick } = options;
  setWorkerUrl(new URL(workerUrl, location.href).href);
  const base = await createBase(options);
  let places = markPlaces([]);
  const style = () => withMarks(base(), places);
  const map = new MapLibreMap({
    container: stage.canvas,
    style: style(),
    bounds: pick ? boundsOfPick(pick) : boundsOf(records),
    fitBoundsOptions: { padding: 48, maxZoom: options.tiles === null ? CLOSEST_ZOOM_OF_AREAS : CLOSEST_ZOOM },
    maxZoom: MAX_ZOOM,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    validateStyle: false,
    locale: { 'Map.Title': texts.label },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  scrollOnRequest(map, stage.canvas);
  stage.zoomIn.onclick = () => void map.zoomIn();
  stage.zoomOut.onclick = () => void map.zoomOut();
  if (options.tiles !== null) stage.credits.textContent = attribution;
  const showPlaces = () => void map.getSource<GeoJSONSource>(MARKS)?.setData(places);
  map.on('style.load', showPlaces);
  const marks = openMarks(map, {
    records,
    texts,
    onDraw(drawn) {
      places = markPlaces(drawn);
      showPlaces();
    },
  });
  const pin = pick && openPin(map, pick);
  const unwatch = watchColors(() => map.setStyle(style()));
  const close = () => {
    unwatch();
    marks.close();
    pin?.close();
    map.remove();
  };
  const drawn = Promise.withResolvers<void>();
  map.once('idle', () => drawn.resolve());
  map.once('webglcontextlost', () => drawn.reject(new Error('the context was lost')));
  await drawn.promise.catch((error: unknown) => {
    close();
    throw error;
  });
  return { close };
}

/** Makes the style in the colors that the page has at the moment. */
async function createBase({ stage, tiles, areas, language }: LiveMapOptions): Promise<() => StyleSpecification> {
  const colors = () =>
    Object.fromEntries(Object.entries(COLORS).map(([name, property]) => [name, stage.colorOf(property)])) as unknown as MapColors;
  const archive = tiles === null ? null : await openTiles(new URL(tiles, location.href).href);
  if (archive) return () => tilesStyle(archive, colors(), language);
  return () => areasStyle(new URL(areas, location.href).href, colors());
}

/** The wheel moves the page until the map has the focus. */
function scrollOnRequest(map: MapLibreMap, canvas: HTMLElement): void {
  map.scrollZoom.disable();
  canvas.addEventListener('focusin', () => map.scrollZoom.enable());
  canvas.addEventListener('focusout', () => map.scrollZoom.disable());
}

function watchColors(onChange: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(onChange);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  scheme.addEventListener('change', onChange);
  return () => {
    chosen.disconnect();
    scheme.removeEventListener('change', onChange);
  };
}

function boundsOf(records: readonly ListedRecord[]): [west: number, south: number, east: number, north: number] {
  const [longitudes, latitudes] = [records.map(({ longitude }) => longitude), records.map(({ latitude }) => latitude)];
  if (records.length === 0) return [-170, -60, 170, 75];
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}

/** Null if it cannot be read: the map then has the neighborhoods as its base. */
async function openTiles(url: string): Promise<TileArchive | null> {
  try {
    const archive = new PMTiles(url);
    const [{ minZoom, maxZoom }, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata()]);
    const { vector_layers = [] } = metadata as { vector_layers?: { id: string }[] };
    if (!isRegistered) addProtocol('pmtiles', protocol.tile);
    isRegistered = true;
    protocol.add(archive);
    return { url: `pmtiles://${url}/{z}/{x}/{y}`, minZoom, maxZoom, layers: vector_layers.map(({ id }) => id) };
  } catch {
    return null;
  }
}

const protocol = new Protocol();
let isRegistered = false;

const COLORS: Readonly<Record<keyof MapColors, string>> = {
  land: '--raised',
  green: '--good-wash',
  water: '--map-water',
  road: '--line',
  building: '--sunken',
  border: '--edge',
  text: '--quiet',
  halo: '--raised',
};
/** A single place is shown with its streets. */
const CLOSEST_ZOOM = 14;
/** Borders alone say little from near. */
const CLOSEST_ZOOM_OF_AREAS = 12.5;
const MAX_ZOOM = 18;
