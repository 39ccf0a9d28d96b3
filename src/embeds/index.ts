// Lists of events on other sites: `<marquee-events>`, a page for an iframe, and oEmbed.
// A name, a checked query and a layout enter `createEmbeds`, for any account; the routes of `createEmbedRoutes` give the script, the
// events of an embed, its page and its oEmbed answer, without a key. docs/embed.md tells people how.

export { loadCityMap } from './city-map.ts';
export { readElementScript } from './element-script.ts';
export { createEmbedFinder } from './embed-finder.ts';
export { createEmbedRoutes } from './embed-routes.ts';
export { createEmbeds, type Embed, type EmbedInput, type EmbedOwner, type EmbedReason, type Embeds } from './embeds.ts';
export { embedSnippets } from './snippets.ts';
