/** Writes hostile lists of events in all forms into a folder, with what readers in other languages must find there. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { EVENT_FORMS, writeForm } from '../../../src/feeds/index.ts';
import { cleaned, hostileLists } from '../../feeds/formats/hostile-text.ts';
import { eventRecord, idOf, LIST } from '../../feeds/formats/made-records.ts';

/** Any number: the same texts in every run. */
const SEED = 20_261_121;
const [folder = '.', lists = '34'] = process.argv.slice(2);

fc.sample(hostileLists, { numRuns: Number(lists), seed: SEED }).forEach((texts, number) => {
  const place = join(folder, String(number));
  mkdirSync(place, { recursive: true });
  const records = texts.map(([title, description, venueName], n) => eventRecord({ id: idOf(n), title, description, venueName }));
  for (const [name, form] of Object.entries(EVENT_FORMS))
    writeFileSync(join(place, `events.${name}`), writeForm(form, LIST, records));
  const wanted = texts.map(([title, description, venue], n) => ({
    id: idOf(n),
    title,
    cleaned: { title: cleaned(title), description: cleaned(description), venue: cleaned(venue) },
  }));
  writeFileSync(join(place, 'wanted.json'), JSON.stringify(wanted));
});
