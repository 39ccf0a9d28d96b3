/** The records of a map, read from the list that the page has: `<li data-latitude data-longitude data-category><a href>…`. */

export interface ListedRecord {
  latitude: number;
  longitude: number;
  title: string;
  href: string;
  note: string;
  category: string;
  /** Of the title. */
  language: string;
}

export function readRecords(map: HTMLElement): ListedRecord[] {
  return [...map.querySelectorAll<HTMLElement>('[data-latitude]')].flatMap((item) => {
    const link = item.querySelector('a');
    const [latitude, longitude] = [Number(item.dataset.latitude), Number(item.dataset.longitude)];
    if (!link || !Number.isFinite(latitude) || !Number.isFinite(longitude)) return [];
    return {
      latitude,
      longitude,
      title: link.textContent ?? '',
      // Never another scheme: an address of our own pages.
      href: link.pathname + link.search,
      note: item.querySelector('[data-note]')?.textContent ?? '',
      category: item.dataset.category ?? '',
      language: link.lang,
    };
  });
}
