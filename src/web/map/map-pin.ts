/** A pin that says where a new venue stands: a click, a drag or the arrow keys move it, and a field of the form has its point. */

import { type LngLatLike, type Map as MapLibreMap, Marker } from 'maplibre-gl';
import { readPoint } from '../../values/read-point.ts';
import { element } from './map-stage.ts';

export interface PickSettings {
  /** Latitude and longitude as text. */
  input: HTMLInputElement;
  /** Where the map begins while the field is empty, in degrees. */
  center: { latitude: number; longitude: number };
  /** Names the pin for who does not see it. */
  label: string;
}

export function openPin(map: MapLibreMap, { input, label }: PickSettings): { close(): void } {
  const button = element('button', { type: 'button', class: 'live-mark one', 'aria-label': label });
  const marker = new Marker({ element: button, draggable: true });

  function move(to: LngLatLike): void {
    marker.setLngLat(to).addTo(map);
    const { lat, lng } = marker.getLngLat();
    input.value = `${lat.toFixed(DECIMALS)},${lng.toFixed(DECIMALS)}`;
  }

  function showTyped(): void {
    const point = readPoint(input.value);
    if (!point) marker.remove();
    else {
      marker.setLngLat([point.longitude, point.latitude]).addTo(map);
      map.panTo([point.longitude, point.latitude]);
    }
  }

  marker.on('dragend', () => move(marker.getLngLat()));
  map.on('click', ({ lngLat }) => move(lngLat));
  button.addEventListener('click', (event) => event.stopPropagation());
  button.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const pixels = event.shiftKey ? FAR_PIXELS : NEAR_PIXELS;
    const { x, y } = map.project(marker.getLngLat());
    move(map.unproject([x + step[0] * pixels, y + step[1] * pixels]));
  });
  input.addEventListener('change', showTyped);
  showTyped();
  return {
    close() {
      input.removeEventListener('change', showTyped);
      marker.remove();
    },
  };
}

/** A surrounding of some kilometers, or of the typed point some hundred meters. */
export function boundsOfPick({ input, center }: PickSettings): [west: number, south: number, east: number, north: number] {
  const typed = readPoint(input.value);
  const { latitude, longitude } = typed ?? center;
  const reach = typed ? NEAR_DEGREES : FAR_DEGREES;
  return [longitude - reach, latitude - reach, longitude + reach, latitude + reach];
}

const STEPS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const NEAR_PIXELS = 4;
const FAR_PIXELS = 40;
/** Some ten centimeters. */
const DECIMALS = 6;
const NEAR_DEGREES = 0.004;
const FAR_DEGREES = 0.05;
