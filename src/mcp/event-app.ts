/** The MCP App (SEP-1865): one page without any request, that shows what `search_events` found as a list or a map. */

import { readFileSync } from 'node:fs';
import { readElementScript } from '../embeds/index.ts';
import { type DrawnAreas, drawAreas } from '../values/draw-areas.ts';
import type { FixedResource } from './resource-methods.ts';
import { EVENT_APP_URI, VERSION } from './server-facts.ts';
import { cleanLine } from './text.ts';
import type { ToolPlace } from './tools/tool.ts';

/** `loadMap`: the neighborhoods as small paths; null where there are none. */
export function createEventApp(loadMap: () => Promise<DrawnAreas | null>): FixedResource {
  let script: Promise<string> | null = null;
  let held: { map: Promise<DrawnAreas | null>; until: number } | null = null;

  /** Without the database the map has no neighborhoods. */
  function readMap(): Promise<DrawnAreas | null> {
    if (!held || performance.now() >= held.until) {
      const map = loadMap().catch(() => {
        held = null;
        return null;
      });
      held = { map, until: performance.now() + MAP_HELD_MS };
    }
    return held.map;
  }

  return {
    uri: EVENT_APP_URI,
    name: 'events_app',
    title: 'Events as a list and a map',
    description: 'Shows what search_events found, in assistants that can show pages',
    mimeType: APP_TYPE,
    // It needs nothing from outside: a host that allows nothing allows enough.
    _meta: { ui: { prefersBorder: false } },
    async text(place) {
      script ??= readElementScript();
      return writePage(await script, describeCity(place, await readMap()));
    },
  };
}

function describeCity({ snapshot, publicUrl }: ToolPlace, map: DrawnAreas | null) {
  const { name, timezone, currency, locale } = snapshot.city;
  return {
    ...{ name: null, layout: 'list', url: `${publicUrl}/events`, version: VERSION },
    city: { name: cleanLine(name), timezone, currency, locale },
    map: map ?? NO_MAP,
  };
}

function writePage(elementScript: string, city: ReturnType<typeof describeCity>): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Events</title>
<style>${STYLE}</style>
<script type="application/json" id="city">${JSON.stringify(city).replaceAll('<', '\\u003c')}</script>
</head>
<body>
<main>
<div id="views" role="group" aria-label="View"><button type="button" value="list" aria-pressed="true">List</button><button type="button" value="map" aria-pressed="false">Map</button></div>
<marquee-events layout="list"></marquee-events>
<p id="count" role="status"></p>
</main>
<script>${inScript(elementScript)}</script>
<script>${inScript(APP_SCRIPT)}</script>
</body>
</html>
`;
}

/** Nothing in it ends the element that it stands in. In strings and regular expressions the backslash changes nothing. */
const inScript = (source: string): string => source.replaceAll('</', '<\\/');

/** Neighborhoods change seldom, and reading them takes the database. */
const MAP_HELD_MS = 600_000;
const NO_MAP = drawAreas([], { latitude: 0, longitude: 0 });
const APP_TYPE = 'text/html;profile=mcp-app';
const APP_SCRIPT = readFileSync(new URL('./event-app-page.js', import.meta.url), 'utf8');
const STYLE = `:root{color-scheme:light dark}body{margin:0;font:15px/1.45 var(--marquee-font,system-ui,sans-serif);color:var(--marquee-color,light-dark(#1b1a17,#f4f1ea))}
#views{display:flex;gap:8px;height:40px;padding-bottom:8px;box-sizing:border-box}
button{font:inherit;color:inherit;background:none;border:1px solid var(--marquee-border,light-dark(#dedbd3,#3a3832));border-radius:8px;padding:0 14px;cursor:pointer}
button[aria-pressed=true]{border-color:currentColor;font-weight:600}
button:focus-visible{outline:2px solid;outline-offset:2px}
#count{margin:8px 0 0;font-size:13px;color:var(--marquee-muted,light-dark(#5d5a52,#b3aea2))}`;
