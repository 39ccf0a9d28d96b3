/** Lists and ways up, in the words of schema.org. */

function listMarkup(name: string, url: string, urls: readonly string[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    url,
    numberOfItems: urls.length,
    itemListElement: urls.map((each, at) => ({ '@type': 'ListItem', position: at + 1, url: each })),
  };
}

/** From the front page to this one; `url` absolute. */
export function breadcrumbMarkup(steps: readonly { name: string; url: string }[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, at) => ({ '@type': 'ListItem', position: at + 1, name, item: url })),
  };
}

/** What stands in a `<script type="application/ld+json">`: no text of a source can end it. */
export const writeMarkup = (markup: object): string => JSON.stringify(markup).replaceAll('<', '\\u003c');

/** The blocks of a page that lists records: `name` as its heading has it, `urls` absolute and in order. Nothing for an empty list. */
export const writeListBlocks = (name: string, address: string, urls: readonly string[]): string[] =>
  urls.length === 0 ? [] : [writeMarkup(listMarkup(name, address, urls))];
