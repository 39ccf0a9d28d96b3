/**
 * `<marquee-events embed="…">`: events of a city on any page. Served as it stands, without a build step.
 *
 * The page needs no key and no style of ours: everything is inside a shadow root, styled by a constructed sheet, so a strict
 * Content-Security-Policy allows it (script, connect and, for pictures, img of our origin). Its height is fixed, so nothing moves.
 */
{
  const BASE = new URL(document.currentScript?.src || location.href).origin;

  const WORDS = {
    en: [
      'Events in {city}',
      'Free',
      'from {price}',
      'Sold out',
      'Canceled',
      'Postponed',
      'No upcoming events',
      'All events',
      'Events cannot be loaded right now.',
      'Previous month',
      'Next month',
      '{n} events',
      'Try again',
      '1 event',
    ],
    de: [
      'Veranstaltungen in {city}',
      'Kostenlos',
      'ab {price}',
      'Ausverkauft',
      'Abgesagt',
      'Verschoben',
      'Keine kommenden Veranstaltungen',
      'Alle Veranstaltungen',
      'Veranstaltungen können gerade nicht geladen werden.',
      'Voriger Monat',
      'Nächster Monat',
      '{n} Veranstaltungen',
      'Erneut versuchen',
      '1 Veranstaltung',
    ],
    fr: [
      'Événements à {city}',
      'Gratuit',
      'dès {price}',
      'Complet',
      'Annulé',
      'Reporté',
      'Aucun événement à venir',
      'Tous les événements',
      'Impossible de charger les événements pour le moment.',
      'Mois précédent',
      'Mois suivant',
      '{n} événements',
      'Réessayer',
      '1 événement',
    ],
    es: [
      'Eventos en {city}',
      'Gratis',
      'desde {price}',
      'Agotado',
      'Cancelado',
      'Aplazado',
      'No hay próximos eventos',
      'Todos los eventos',
      'No se pueden cargar los eventos en este momento.',
      'Mes anterior',
      'Mes siguiente',
      '{n} eventos',
      'Reintentar',
      '1 evento',
    ],
  };
  const [TITLE, FREE, FROM, SOLD_OUT, CANCELED, POSTPONED, NONE, ALL, FAILED, PREVIOUS, NEXT, COUNT, RETRY, ONE] =
    WORDS.en.keys();
  const UP_TO = { en: 'up to', de: 'bis', fr: 'jusqu’à', es: 'hasta' };

  const CSS = `
:host { display: block; box-sizing: border-box; height: var(--marquee-height, 480px); overflow: hidden; contain: content; container-type: inline-size;
  --bg: var(--marquee-background, #fff); --fg: var(--marquee-color, #1b1a17); --quiet: var(--marquee-muted, #5d5a52);
  --line: var(--marquee-border, #dedbd3); --accent: var(--marquee-accent, #a3290f); --area: var(--marquee-area, #efece5);
  background: var(--bg); color: var(--fg); border: 1px solid var(--line); border-radius: var(--marquee-radius, 10px);
  font: 400 15px/1.45 var(--marquee-font, system-ui, sans-serif); text-align: start; color-scheme: light; }
:host([hidden]) { display: none; }
:host([theme=dark]) { --bg: var(--marquee-background, #181714); --fg: var(--marquee-color, #f4f1ea); --quiet: var(--marquee-muted, #b3aea2);
  --line: var(--marquee-border, #3a3832); --accent: var(--marquee-accent, #ff9a76); --area: var(--marquee-area, #26241f); color-scheme: dark; }
@media (prefers-color-scheme: dark) { :host(:not([theme=light])) { --bg: var(--marquee-background, #181714); --fg: var(--marquee-color, #f4f1ea);
  --quiet: var(--marquee-muted, #b3aea2); --line: var(--marquee-border, #3a3832); --accent: var(--marquee-accent, #ff9a76);
  --area: var(--marquee-area, #26241f); color-scheme: dark; } }
* { box-sizing: border-box; margin: 0; padding: 0; }
section { display: flex; flex-direction: column; height: 100%; }
header, footer { display: flex; gap: 12px; align-items: center; justify-content: space-between; padding: 10px 14px; }
header { border-bottom: 1px solid var(--line); } footer { border-top: 1px solid var(--line); font-size: 13px; }
h2 { font-size: 16px; font-weight: 650; line-height: 1.3; }
.body { flex: 1; overflow: auto; min-height: 0; padding: 4px 14px 12px; }
h3 { position: sticky; top: -4px; background: var(--bg); padding: 12px 0 4px; font-size: 13px; font-weight: 600; color: var(--quiet); z-index: 1; }
ul { list-style: none; }
li { border-bottom: 1px solid var(--line); } li:last-child { border: 0; }
a { color: inherit; } footer a { color: var(--accent); text-underline-offset: 2px; }
.event { display: grid; grid-template-columns: auto 1fr; gap: 12px; padding: 10px 2px; text-decoration: none; align-items: start; }
.event.bare { grid-template-columns: 1fr; }
.event:hover strong { text-decoration: underline; text-underline-offset: 2px; }
img, .blank { display: block; width: 84px; height: 63px; object-fit: cover; border-radius: 6px; background: var(--area); }
strong { display: block; font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
.event span { display: block; font-size: 13px; color: var(--quiet); } .event .price { color: var(--fg); }
.chosen .event { outline: 2px solid var(--accent); outline-offset: -1px; border-radius: 6px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
button { font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px; padding: 4px 10px; min-width: 32px; min-height: 32px; cursor: pointer; }
.split { flex: 1; min-height: 0; display: flex; flex-direction: column; }
svg { display: block; width: 100%; height: 46%; flex: none; border-bottom: 1px solid var(--line); }
.area { fill: var(--area); stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.halo, .dot { fill: none; stroke: var(--bg); stroke-linecap: round; vector-effect: non-scaling-stroke; cursor: pointer; }
.dot { stroke: var(--accent); } .on.halo { stroke: var(--fg); }
.days { overflow: auto; } .side, .days .body { flex: none; overflow: visible; } .side { padding: 4px 14px 0; }
@container (min-width: 640px) { .split { flex-direction: row; overflow: hidden; } .side, svg { width: 50%; height: 100%; overflow: auto; }
  svg { overflow: hidden; border: 0; border-inline-end: 1px solid var(--line); } .side { border-inline-end: 1px solid var(--line); }
  .days .body { flex: 1; overflow: auto; } .split .body { flex: 1; } }
table { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 13px; }
th { font-weight: 500; color: var(--quiet); padding: 4px 0; } td { text-align: center; padding: 1px; height: 36px; }
td button { width: 100%; padding: 0; border-color: transparent; } td button.has { border-color: var(--line); font-weight: 650; }
td button[aria-pressed=true] { background: var(--accent); color: var(--bg); border-color: var(--accent); }
td span { color: var(--quiet); } .month { display: flex; justify-content: space-between; align-items: center; padding: 8px 0 4px; font-weight: 600; }
.note { padding: 32px 8px; text-align: center; color: var(--quiet); } .note button { margin-top: 12px; color: var(--fg); }
@media (prefers-reduced-motion: no-preference) { .wait i { animation: wait 1.2s ease-in-out infinite alternate; } @keyframes wait { to { opacity: .45; } } }
.wait i { display: block; height: 63px; margin: 12px 0; border-radius: 6px; background: var(--area); }`;

  const DAY_MS = 86_400_000;
  const SVG = 'http://www.w3.org/2000/svg';
  const SVG_NAMES = new Set(['svg', 'path']);
  let sheet;

  /** An element with attributes, listeners (functions) and children. Text is never read as markup. */
  function make(name, members, ...children) {
    const element = SVG_NAMES.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
    for (const [key, value] of Object.entries(members ?? {})) {
      if (typeof value === 'function') element.addEventListener(key, value);
      else if (value !== null && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  /** Only links to the web: what a source wrote elsewhere is none. */
  const safeUrl = (url) => (/^https?:\/\//.test(url) ? url : null);

  class MarqueeEvents extends HTMLElement {
    static observedAttributes = ['embed', 'layout', 'lang'];
    #root = this.attachShadow({ mode: 'open' });
    #data = null;
    #asked = 0;
    #month = null;
    #day = null;
    #venue = null;

    constructor() {
      super();
      if (!sheet) {
        sheet = new CSSStyleSheet();
        sheet.replaceSync(CSS);
      }
      this.#root.adoptedStyleSheets = [sheet];
    }

    /** What the route of the embed gives; whoever sets it asks for nothing. */
    set data(data) {
      this.#asked += 1;
      this.#data = data;
      this.#draw();
    }

    connectedCallback() {
      if (!this.#data) this.#load();
    }

    attributeChangedCallback(name, before, after) {
      if (before === after || !this.isConnected) return;
      if (name === 'embed') this.#load();
      else this.#draw();
    }

    async #load() {
      const id = this.getAttribute('embed');
      if (!id) return;
      const turn = ++this.#asked;
      this.#frame(make('div', { class: 'wait' }, ...Array.from({ length: 4 }, () => make('i'))), { 'aria-busy': 'true' });
      try {
        const answer = await fetch(`${BASE}/embed/v1/${encodeURIComponent(id)}.json`, {
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
        });
        if (!answer.ok) throw new Error(String(answer.status));
        const data = await answer.json();
        if (turn === this.#asked) this.data = data;
      } catch {
        if (turn !== this.#asked) return;
        const retry = make('button', { type: 'button', click: () => this.#load() }, this.#word(RETRY));
        this.#frame(make('div', { class: 'note', role: 'status' }, make('p', null, this.#word(FAILED)), retry));
      }
    }

    get #language() {
      const asked = (
        this.getAttribute('lang') ||
        this.closest('[lang]')?.lang ||
        document.documentElement.lang ||
        navigator.language
      ).slice(0, 2);
      return Object.hasOwn(WORDS, asked) ? asked : 'en';
    }

    /** Dates and money in the reader's own form of English. */
    get #locale() {
      const tag = this.#language;
      return tag === 'en' ? this.#data?.city.locale || 'en-US' : tag;
    }

    #word(index, values = {}) {
      return WORDS[this.#language][index].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
    }

    #frame(body, members = {}) {
      const { city, url, name } = this.#data ?? {};
      const title = name || (city ? this.#word(TITLE, { city: city.name }) : '');
      const parts = Array.isArray(body) ? body : [make('div', { class: 'body' }, body)];
      const foot =
        city &&
        make(
          'footer',
          null,
          make('span', null, city.name),
          make('a', { href: safeUrl(url), target: '_blank', rel: 'noopener' }, this.#word(ALL)),
        );
      const head = title ? make('header', null, make('h2', null, title)) : null;
      this.#root.replaceChildren(
        make('section', { lang: this.#language, 'aria-label': title || null, ...members }, head, ...parts, foot),
      );
    }

    #draw() {
      const data = this.#data;
      if (!data) return;
      if (data.events.length === 0) return this.#frame(make('p', { class: 'note' }, this.#word(NONE)));
      const layout = this.getAttribute('layout') || data.layout;
      if (layout === 'map') this.#frame([make('div', { class: 'split' }, this.#map(), this.#body(this.#days(this.#atVenue())))]);
      else if (layout === 'calendar') this.#frame(this.#calendar());
      else this.#frame([this.#body(this.#days(data.events))]);
    }

    /** It scrolls, so a keyboard must reach it. */
    #body(children) {
      return make('div', { class: 'body', tabindex: '0' }, ...children);
    }

    /** Events below a heading for each day, on the city's clock. */
    #days(events) {
      const days = Map.groupBy(events, ({ start }) => start.slice(0, 10));
      return [...days].flatMap(([day, list]) => [
        make('h3', null, this.#format(day, { weekday: 'long', month: 'long', day: 'numeric' })),
        this.#list(list),
      ]);
    }

    #list(events) {
      return make('ul', null, ...events.map((event) => make('li', null, this.#event(event))));
    }

    #event({ title, url, start, startPrecision, venue, status, image, ...price }) {
      const time = startPrecision === 'time' ? this.#format(start, { hour: 'numeric', minute: '2-digit' }) : null;
      const hasNone = image === null;
      const picture = safeUrl(image)
        ? make('img', {
            src: image,
            alt: '',
            loading: 'lazy',
            width: 84,
            height: 63,
            error: (e) => e.target.replaceWith(make('i', { class: 'blank' })),
          })
        : hasNone
          ? null
          : make('i', { class: 'blank' });
      const text = make(
        'div',
        null,
        make('strong', null, title),
        make('span', null, [time, venue.name].filter(Boolean).join(' · ')),
        make('span', { class: 'price' }, this.#status(status) || this.#price(price)),
      );
      return make(
        'a',
        { class: hasNone ? 'event bare' : 'event', href: safeUrl(url), target: '_blank', rel: 'noopener' },
        picture,
        text,
      );
    }

    #status(status) {
      const words = { sold_out: SOLD_OUT, cancelled: CANCELED, postponed: POSTPONED };
      return Object.hasOwn(words, status) ? this.#word(words[status]) : '';
    }

    #price({ isFree, priceMin, priceMax }) {
      if (isFree) return this.#word(FREE);
      const low = priceMin ?? priceMax;
      if (low === null) return '';
      const { currency } = this.#data.city;
      const format = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' };
      const price = new Intl.NumberFormat(this.#locale, format).format(low);
      if (priceMin === null) return `${UP_TO[this.#language]} ${price}`;
      return priceMin === priceMax ? price : this.#word(FROM, { price });
    }

    /** `local`: with the city's own offset, or a day: the clock that it shows is the city's already. */
    #format(local, options) {
      const shown = `${local.slice(0, 10)}T${local.slice(11, 16) || '12:00'}Z`;
      return new Intl.DateTimeFormat(this.#locale, { timeZone: 'UTC', ...options }).format(new Date(shown));
    }

    #atVenue() {
      const { events } = this.#data;
      return this.#venue === null ? events : events.filter(({ venue }) => venue.id === this.#venue);
    }

    /** Dots over the neighborhoods. The list below says the same, so readers of a screen are told nothing twice. */
    #map() {
      const { map, events } = this.#data;
      const { west, south, east, north, width, height, areas } = map;
      const placed = events.filter(({ venue }) => !venue.isInArea);
      const outline = areas.map((d) => make('path', { d, class: 'area' }));
      if (placed.length === 0) return make('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }, ...outline);
      const groups = [...Map.groupBy(placed, ({ venue }) => venue.id)];
      const venues = groups.map(([id, list]) => ({ id, count: list.length, ...list[0].venue }));
      const spot = ({ longitude, latitude }) => [
        ((longitude - west) / (east - west)) * width,
        ((north - latitude) / (north - south)) * height,
      ];
      const points = venues.map(spot);
      const pad = width / 14;
      const xs = points.map(([x]) => x);
      const ys = points.map(([, y]) => y);
      const wide = Math.max(Math.max(...xs) - Math.min(...xs) + 2 * pad, width / 5);
      const high = Math.max(Math.max(...ys) - Math.min(...ys) + 2 * pad, wide / 2.4);
      const left = (Math.max(...xs) + Math.min(...xs) - wide) / 2;
      const top = (Math.max(...ys) + Math.min(...ys) - high) / 2;
      const dots = venues.map((venue, n) => {
        const choose = () => {
          this.#venue = this.#venue === venue.id ? null : venue.id;
          this.#draw();
        };
        const d = `M${points[n].join(' ')}h0`;
        const on = this.#venue === venue.id ? ' on' : '';
        // Lines without length and with round ends: dots of as many pixels, however large the map is.
        const size = 8 + 3 * Math.sqrt(venue.count);
        return [
          make('path', { d, class: `halo${on}`, 'stroke-width': size + 4 }),
          make('path', { d, class: 'dot', 'stroke-width': size, click: choose }),
        ];
      });
      return make(
        'svg',
        { viewBox: `${left} ${top} ${wide} ${high}`, preserveAspectRatio: 'xMidYMid meet', 'aria-hidden': 'true' },
        ...outline,
        ...dots.flat(),
      );
    }

    #calendar() {
      const { events } = this.#data;
      const byDay = Map.groupBy(events, ({ start }) => start.slice(0, 10));
      this.#day ??= this.#firstDay;
      this.#month ??= this.#day.slice(0, 7);
      const [year, month] = this.#month.split('-').map(Number);
      const move = (step) => () => {
        this.#month = new Date(Date.UTC(year, month - 1 + step, 1)).toISOString().slice(0, 7);
        this.#redraw(`[data-step="${step}"]`);
      };
      const step = (by, word, sign) =>
        make('button', { type: 'button', 'data-step': by, 'aria-label': this.#word(word), click: move(by) }, sign);
      const name = this.#format(`${this.#month}-01`, { month: 'long', year: 'numeric' });
      const monday = Array.from({ length: 7 }, (_, n) => this.#format(`2024-01-0${n + 1}`, { weekday: 'short' }));
      const rows = this.#weeks(year, month).map((week) =>
        make('tr', null, ...week.map((day) => this.#cell(day, byDay.get(day)?.length ?? 0))),
      );
      const table = make(
        'table',
        { 'aria-label': name },
        make('thead', null, make('tr', null, ...monday.map((day) => make('th', { scope: 'col' }, day)))),
        make('tbody', null, ...rows),
      );
      const list = byDay.get(this.#day) ?? [];
      const days = list.length > 0 ? this.#days(list) : [make('p', { class: 'note' }, this.#word(NONE))];
      const steps = [step(-1, PREVIOUS, '‹'), make('span', { role: 'status' }, name), step(1, NEXT, '›')];
      const head = make('div', { class: 'month' }, ...steps);
      return [make('div', { class: 'split days', tabindex: '0' }, make('div', { class: 'side' }, head, table), this.#body(days))];
    }

    /** The first in the list may be the best instead of the soonest. */
    get #firstDay() {
      return this.#data.events.map(({ start }) => start.slice(0, 10)).sort()[0];
    }

    /** Weeks from Monday on, null for days of other months. Where a month begins before the first event, five weeks from that event on. */
    #weeks(year, month) {
      const [first, last] = [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0)];
      const event = Date.parse(this.#firstDay);
      const isShort = event > first && event <= last;
      const start = new Date(isShort ? event : first);
      const monday = start.getTime() - ((start.getUTCDay() + 6) % 7) * DAY_MS;
      const count = Math.max(isShort ? 5 : 0, Math.floor((last - monday) / DAY_MS / 7) + 1);
      const day = (at) => (at < first || (at > last && !isShort) ? null : new Date(at).toISOString().slice(0, 10));
      const week = (from) => Array.from({ length: 7 }, (_, n) => day(from + n * DAY_MS));
      return Array.from({ length: count }, (_, n) => week(monday + 7 * n * DAY_MS));
    }

    #cell(day, count) {
      if (day === null) return make('td');
      const number = this.#format(day, day.endsWith('-01') ? { month: 'short', day: 'numeric' } : { day: 'numeric' });
      if (count === 0) return make('td', null, make('span', null, number));
      const label = `${this.#format(day, { weekday: 'long', month: 'long', day: 'numeric' })}, ${count === 1 ? this.#word(ONE) : this.#word(COUNT, { n: count })}`;
      const choose = () => {
        this.#day = day;
        this.#redraw(`[data-day="${day}"]`);
      };
      return make(
        'td',
        null,
        make(
          'button',
          {
            type: 'button',
            class: 'has',
            'data-day': day,
            'aria-pressed': String(day === this.#day),
            'aria-label': label,
            click: choose,
          },
          number,
        ),
      );
    }

    /** Whoever uses a keyboard stays where they were. */
    #redraw(selector) {
      this.#draw();
      this.#root.querySelector(selector)?.focus();
    }
  }

  if (!customElements.get('marquee-events')) customElements.define('marquee-events', MarqueeEvents);
}
