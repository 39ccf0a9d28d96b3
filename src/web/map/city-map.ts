/**
 * `<city-map>`: a list of records becomes a map. It runs on pages without other scripts, too, so it is a custom element and no component.
 * The list in it stays as it is. The map itself, a large script, is loaded when it is seen, or when its reader opens it.
 */

import { readPoint } from '../../values/read-point.ts';
import type { LiveMap } from './live-map.ts';
import { createStage, type MapStage } from './map-stage.ts';
import { readRecords } from './read-records.ts';

class CityMap extends HTMLElement {
  #stage: MapStage | null = null;
  #live: LiveMap | null = null;
  #observer: IntersectionObserver | null = null;

  connectedCallback(): void {
    this.#stage ??= createStage(this, { onOpen: () => void this.#start() });
    // A page that was restored or moved it has its list already; one that is being read has it a moment later.
    if (this.hasAttribute('opens-on-request')) return;
    this.#observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      this.#observer?.disconnect();
      void this.#start();
    });
    this.#observer.observe(this);
  }

  disconnectedCallback(): void {
    this.#observer?.disconnect();
    this.#live?.close();
    this.#live = null;
    this.#stage?.showPreview();
  }

  async #start(): Promise<void> {
    const stage = this.#stage;
    if (!stage || this.#live || this.dataset.state === 'opening') return;
    this.dataset.state = 'opening';
    try {
      if (!canDraw()) throw new Error('no WebGL 2');
      const { openLiveMap } = await import('./live-map.ts');
      // It may have been removed meanwhile.
      if (!this.isConnected) return;
      stage.showMap();
      this.#live = await openLiveMap({ stage, records: readRecords(this), ...readSettings(this) });
      this.dataset.state = 'live';
    } catch {
      this.dataset.state = 'unavailable';
      stage.showUnavailable();
    }
  }
}

export interface MapTexts {
  label: string;
  open: string;
  zoomIn: string;
  zoomOut: string;
  close: string;
  /** With `{count}`. */
  several: string;
  unavailable: string;
}

/** As `design/city-map.tsx` writes them. */
function readSettings(element: HTMLElement) {
  const { texts = '{}', tiles = '', areas = '', attribution = '', picks = '', center = '', pinLabel = '' } = element.dataset;
  const input = picks === '' ? null : element.closest('form')?.elements.namedItem(picks);
  const begin = readPoint(center);
  const pick = input instanceof HTMLInputElement && begin ? { input, center: begin, label: pinLabel } : null;
  const language = element.closest<HTMLElement>('[lang]')?.lang ?? 'en';
  return { texts: JSON.parse(texts) as MapTexts, tiles: tiles || null, areas, attribution, language, pick };
}

function canDraw(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}

customElements.define('city-map', CityMap);
