/** The marks of a map: buttons in the order of the list, so that a keyboard reaches each. A mark opens what it stands for. */

import { type Map as MapLibreMap, Marker, Popup } from 'maplibre-gl';
import type { MapTexts } from './city-map.ts';
import { clusterRecords, type RecordCluster } from './cluster-records.ts';
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

const CATEGORY = /^[a-z]+$/;
const MAX_IN_POPUP = 6;
const MAX_LISTED = 12;
const ZOOM_STEP = 2;
/** Some 20 meters. */
const SAME_PLACE_DEGREES = 0.0002;
