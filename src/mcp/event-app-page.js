/**
 * The page of the MCP App: shows what `search_events` found as a list or a map, inside the window of an assistant (SEP-1865).
 *
 * It talks to its host by JSON-RPC over `postMessage` and to nobody else: it requests nothing from any network. The element
 * `<marquee-events>` stands before it in the same page, and `CITY` is written by the server.
 */
{
  const CITY = JSON.parse(document.getElementById('city').textContent);
  const PROTOCOL = '2026-01-26';
  const WORDS = {
    en: ['List', 'Map', 'View', '{shown} of {total} events'],
    de: ['Liste', 'Karte', 'Ansicht', '{shown} von {total} Veranstaltungen'],
    fr: ['Liste', 'Carte', 'Affichage', '{shown} événements sur {total}'],
    es: ['Lista', 'Mapa', 'Vista', '{shown} de {total} eventos'],
  };
  /** What the host may set of ours. */
  const COLORS = {
    '--color-background-primary': '--marquee-background',
    '--color-text-primary': '--marquee-color',
    '--color-text-secondary': '--marquee-muted',
    '--color-border-primary': '--marquee-border',
    '--font-sans': '--marquee-font',
  };
  const HEIGHT = 480;
  /** The switch above the element. */
  const BAR = 48;

  const element = document.querySelector('marquee-events');
  const count = document.querySelector('#count');
  const buttons = [...document.querySelectorAll('button')];
  const waiting = new Map();
  let lastId = 0;
  let canOpenLinks = false;
  let counts = { shown: 0, total: 0 };

  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method, params) => send({ method, params });
  function request(method, params) {
    lastId += 1;
    const id = lastId;
    send({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  function showLayout(layout) {
    element.setAttribute('layout', layout);
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.value === layout));
  }

  /** A part of the host's context, or all of it. */
  function applyContext({ theme, locale, styles, containerDimensions }) {
    if (theme === 'light' || theme === 'dark') {
      document.documentElement.style.colorScheme = theme;
      element.setAttribute('theme', theme);
    }
    if (locale) speak(locale.slice(0, 2));
    for (const [theirs, ours] of Object.entries(COLORS)) {
      const value = styles?.variables?.[theirs];
      if (value) document.documentElement.style.setProperty(ours, value);
    }
    if (!containerDimensions) return;
    const { height, maxHeight } = containerDimensions;
    const inner = (height ?? Math.min(maxHeight ?? HEIGHT + BAR, HEIGHT + BAR)) - BAR;
    document.documentElement.style.setProperty('--marquee-height', `${Math.max(inner, HEIGHT / 4)}px`);
  }

  function speak(language) {
    const words = Object.hasOwn(WORDS, language) ? language : 'en';
    document.documentElement.lang = words;
    const [list, map, view] = WORDS[words];
    document.querySelector('#views').setAttribute('aria-label', view);
    for (const button of buttons) button.textContent = button.value === 'map' ? map : list;
    element.setAttribute('lang', words);
    showCount();
  }

  /** What the tool answered. Its text is for the model; a mistake of the model shows nothing. */
  function showResult({ structuredContent, isError }) {
    const events = isError ? [] : (structuredContent?.events ?? []);
    const shown = events
      .map((event) => ({ startPrecision: 'time', image: null, ...event }))
      .sort((a, b) => Date.parse(a.start) - Date.parse(b.start));
    element.data = { ...CITY, events: shown };
    counts = { shown: shown.length, total: structuredContent?.total ?? 0 };
    showCount();
  }

  function showCount() {
    const [, , , words] = WORDS[document.documentElement.lang];
    const isCut = counts.total > counts.shown;
    count.textContent = isCut ? words.replace(/\{(\w+)\}/g, (_, name) => counts[name].toLocaleString(element.lang)) : '';
  }

  const heard = {
    'ui/notifications/tool-result': showResult,
    'ui/notifications/tool-cancelled': () => showResult({ isError: true }),
    'ui/notifications/host-context-changed': applyContext,
  };

  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return;
    const { id, method, params = {}, result, error } = data;
    if (method === undefined) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error) asked?.reject(new Error(error.message));
      else asked?.resolve(result);
    } else if (Object.hasOwn(heard, method)) heard[method](params);
    else if (id !== undefined) {
      const isKnown = method === 'ping' || method === 'ui/resource-teardown';
      send(isKnown ? { id, result: {} } : { id, error: { code: -32601, message: `no method ${method}` } });
    }
  });

  // Links stand in the shadow of the element.
  addEventListener('click', (event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement);
    if (!link || !canOpenLinks) return;
    event.preventDefault();
    request('ui/open-link', { url: link.href }).catch(() => {});
  });
  for (const button of buttons) button.addEventListener('click', () => showLayout(button.value));

  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    notify('ui/notifications/size-changed', { width, height });
  }).observe(document.body);

  showLayout('list');
  speak(navigator.language.slice(0, 2));
  request('ui/initialize', {
    protocolVersion: PROTOCOL,
    appInfo: { name: 'marquee', version: CITY.version },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  }).then(
    ({ hostCapabilities, hostContext }) => {
      canOpenLinks = hostCapabilities?.openLinks !== undefined;
      applyContext(hostContext ?? {});
      notify('ui/notifications/initialized', {});
    },
    () => showResult({ isError: true }),
  );
}
