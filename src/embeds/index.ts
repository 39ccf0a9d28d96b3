// Lists of events on other sites: `<marquee-events>`, a page for an iframe, and oEmbed.
// A name, a checked query and a layout enter `createEmbeds`, for any account; the routes of `createEmbedRoutes` give the script, the
// events of an embed, its page and its oEmbed answer, without a key. docs/embed.md tells people how.

export { createEmbedRoutes } from './embed-routes.ts';
export { createEmbedFinder, loadCityMap } from './embed-source.ts';
export { createEmbeds, type Embed, type EmbedInput, type EmbedOwner, type EmbedReason, type Embeds } from './embeds.ts';
export { embedSnippets, readElementScript } from './snippets.ts';
