import { CityMap } from '../../design/city-map.tsx';
import { useLanguage } from '../../design/use-language.ts';
import { describeStart } from '../../model/describe.ts';
import type { MappedEvent } from '../../model/lists.ts';
import type { DrawnMap } from '../../model/map.ts';

interface Props {
  events: readonly MappedEvent[];
  label: string;
  /** Without it, the map is live at once. */
  preview?: DrawnMap | null;
  isListed?: boolean;
  /** The name of the area that it is about. */
  current?: string;
}

/** Events at their places, each with its time and venue. */
export function EventsMap({ events, ...map }: Props) {
  const language = useLanguage();
  const records = events.map(({ id, slug, title, category, latitude, longitude, venue, ...when }) => {
    const note = `${describeStart(language, when)} · ${venue}`;
    return { id, title, category, latitude, longitude, note, href: `/events/${slug}` };
  });
  return <CityMap records={records} {...map} />;
}
