/** `/status.rss`: each update of an incident is an item. */

import { renderNewsRss } from '../../feeds/index.ts';
import type { StatusReport } from '../model.ts';

export function writeStatusRss({ incidents, at }: StatusReport, publicUrl: string, cityName: string): string {
  const items = (incidents ?? []).flatMap(({ id, title, updates }) =>
    updates.map((update) => ({
      id: `urn:uuid:${update.id}`,
      title: `${title} (${update.state})`,
      url: `${publicUrl}/status#incident-${id}`,
      at: update.at,
      text: update.message,
    })),
  );
  items.sort((a, b) => b.at - a.at);
  return renderNewsRss({
    title: `Marquee for ${cityName}: status`,
    description: 'Incidents and maintenance.',
    homeUrl: `${publicUrl}/status`,
    selfUrl: `${publicUrl}/status.rss`,
    updatedAt: items[0]?.at ?? at,
    items: items.slice(0, MAX_ITEMS),
  });
}

const MAX_ITEMS = 100;
