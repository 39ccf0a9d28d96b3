/** The marks of a map: buttons in the order of the list, so that a keyboard reaches each. A mark opens what it stands for. */

import { type Map as MapLibreMap, Marker, Popup } from 'maplibre-gl';
import type { MapTexts } from './city-map.ts';
import { element } from './map-stage.ts';
import type { ListedRecord } from './read-records.ts';

interface MarkOptions {
  records: readonly ListedRecord[];
  texts: MapTexts;
  /** Where the marks are, whenever they are drawn. */
  onDraw(places: readonly { longitude: number; latitude: number }[]): void;
}

export function openMarks(map: MapLibreMap, { records, texts, onDraw }: MarkOptions): { close(): void } {
  let marks: Marker[] = [];
  let shownZoom = Number.NaN;
  let popup: Popup | null = null;

  function draw(): void {
    const zoom = Math.round(map.getZoom() * 2) / 2;
    if (zoom === shownZoom) return;
    shownZoom = zoom;
    for (const mark of marks) mark.remove();
    const clusters = clusterRecords(records, zoom);
    onDraw(clusters);
    marks = clusters.map((cluster) => {
      const button = createMark(cluster, texts);
      button.addEventListener('click', (event) => {
        // A click on the map closes what is open.
        event.stopPropagation();
        choose(cluster, button);
      });
      return new Marker({ element: button }).setLngLat([cluster.longitude, cluster.latitude]).addTo(map);
    });
  }

  function choose(cluster: RecordCluster<ListedRecord>, button: HTMLElement): void {
    if (cluster.records.length > MAX_IN_POPUP && isSpread(cluster.records)) {
      map.easeTo({ center: [cluster.longitude, cluster.latitude], zoom: map.getZoom() + ZOOM_STEP });
      return;
    }
    popup?.remove();
    const opened = new Popup({ closeButton: false, offset: 16, maxWidth: '18rem' })
      .setLngLat([cluster.longitude, cluster.latitude])
      .setDOMContent(createCard(cluster.records, texts, () => opened.remove()))
      .addTo(map);
    opened.on('close', () => button.focus({ preventScroll: true }));
    popup = opened;
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') popup?.remove();
  };
  map.getContainer().addEventListener('keydown', onKey);
  map.on('zoomend', draw);
  draw();
  return {
    close() {
      map.getContainer().removeEventListener('keydown', onKey);
      for (const mark of marks) mark.remove();
    },
  };
}

function createMark({ records }: RecordCluster<ListedRecord>, { several }: MapTexts): HTMLButtonElement {
  const [first] = records;
  const isOne = records.length === 1;
  const label = isOne ? (first?.title ?? '') : several.replace('{count}', String(records.length));
  const category = CATEGORY.test(first?.category ?? '') ? first?.category : '';
  return element(
    'button',
    { type: 'button', class: `live-mark ${isOne ? 'one' : 'many'}`, 'aria-label': label, 'data-category': category ?? '' },
    isOne ? '' : String(records.length),
  );
}

/** The records as links. Titles are texts of sources, and stay text. */
function createCard(records: readonly ListedRecord[], { close, several }: MapTexts, onClose: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'live-close', 'aria-label': close }, '×');
  button.addEventListener('click', onClose);
  const items = records.slice(0, MAX_LISTED).map(({ title, href, note, language }) => {
    const link = element('a', { href, ...(language && { lang: language }) }, title);
    return element('li', {}, link, ...(note ? [element('span', {}, note)] : []));
  });
  const more = records.length > MAX_LISTED ? [element('p', {}, several.replace('{count}', String(records.length)))] : [];
  return element('div', { class: 'live-card' }, element('ul', {}, ...items), ...more, button);
}

/** Whether a closer view would show them apart. */
const isSpread = ([first, ...others]: readonly ListedRecord[]): boolean =>
  others.some(
    ({ latitude, longitude }) =>
      first !== undefined && Math.hypot(latitude - first.latitude, longitude - first.longitude) > SAME_PLACE_DEGREES,
  );

interface Located {
  latitude: number;
  longitude: number;
}

interface RecordCluster<Each extends Located> extends Located {
  /** In the order of the list: the best first. */
  records: Each[];
}

/** `zoom` as MapLibre counts: the world is 512 · 2^zoom pixels wide. Each record joins the first mark that is near enough. */
function clusterRecords<Each extends Located>(records: readonly Each[], zoom: number): RecordCluster<Each>[] {
  const scale = WORLD_PIXELS * 2 ** zoom;
  const clusters: (RecordCluster<Each> & { x: number; y: number })[] = [];
  for (const record of records) {
    const [x, y] = [scale * mercatorX(record.longitude), scale * mercatorY(record.latitude)];
    const near = clusters.find((cluster) => Math.hypot(cluster.x - x, cluster.y - y) < APART_PIXELS);
    if (near) near.records.push(record);
    else clusters.push({ x, y, latitude: record.latitude, longitude: record.longitude, records: [record] });
  }
  return clusters.map(({ latitude, longitude, records }) => ({ latitude, longitude, records }));
}

/** Of the world's width. */
const mercatorX = (longitude: number): number => (longitude + 180) / 360;
const mercatorY = (latitude: number): number => {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

const CATEGORY = /^[a-z]+$/;
const MAX_IN_POPUP = 6;
const MAX_LISTED = 12;
const ZOOM_STEP = 2;
/** Some 20 meters. */
const SAME_PLACE_DEGREES = 0.0002;
const WORLD_PIXELS = 512;
/** A mark is a target of 24 pixels at least (WCAG 2.2, 2.5.8); its number needs some more. */
const APART_PIXELS = 34;
