/** What stands around a map in its shadow: the button that opens it, the place of the map, the buttons beside it. */

import css from './city-map.css?inline';
import type { MapTexts } from './city-map.ts';

export interface MapStage {
  /** Where the map is drawn. */
  canvas: HTMLElement;
  zoomIn: HTMLButtonElement;
  zoomOut: HTMLButtonElement;
  credits: HTMLElement;
  showPreview(): void;
  showMap(): void;
  showUnavailable(): void;
  /** The color that a custom property of the page has now, as `rgb(…)`. */
  colorOf(property: string): string;
}

export function createStage(host: HTMLElement, { onOpen }: { onOpen(): void }): MapStage {
  const texts = JSON.parse(host.dataset.texts ?? '{}') as MapTexts;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const preview = element('slot', { name: 'preview' });
  const open = element('button', { type: 'button', class: 'live-open' }, texts.open);
  const zoomIn = element('button', { type: 'button', 'aria-label': texts.zoomIn }, '+');
  const zoomOut = element('button', { type: 'button', 'aria-label': texts.zoomOut }, '−');
  const buttons = element('div', { class: 'live-zoom', role: 'group' }, zoomIn, zoomOut);
  const canvas = element('div', { class: 'live-canvas' });
  const credits = element('p', { class: 'live-credits' });
  const message = element('p', { class: 'live-message', role: 'status' });
  const probe = element('span', { hidden: '' });
  const frame = element('div', { class: 'live-frame' }, canvas, buttons, credits);
  const opensOnRequest = host.hasAttribute('opens-on-request');
  root.replaceChildren(element('div', { class: 'live-preview' }, preview, open), frame, message, element('slot', {}), probe);
  open.addEventListener('click', onOpen);
  const show = (shown: 'preview' | 'map' | 'unavailable') => {
    preview.parentElement?.toggleAttribute('hidden', shown === 'map');
    open.hidden = shown !== 'preview' || !opensOnRequest;
    frame.hidden = shown === 'unavailable' || (shown === 'preview' && opensOnRequest);
    buttons.hidden = shown !== 'map';
    message.textContent = shown === 'unavailable' ? texts.unavailable : '';
  };
  show('preview');
  return {
    canvas,
    zoomIn,
    zoomOut,
    credits,
    showPreview: () => show('preview'),
    showMap: () => show('map'),
    showUnavailable: () => show('unavailable'),
    colorOf(property) {
      probe.style.color = `var(${property})`;
      return getComputedStyle(probe).color;
    },
  };
}

/** Text is always text: nothing is parsed as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}
