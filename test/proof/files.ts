/** Exports: the files that an account downloads, and those that the command writes in every format. */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXPORT_FORMATS } from '../../src/exports/index.ts';
import { askItem, type Item } from './item.ts';
import { type Place, PUBLIC_URL } from './place.ts';

export async function* fileItems(place: Place, exportIds: readonly string[]): AsyncGenerator<Item> {
  yield* downloads(place, exportIds);
  for (const format of EXPORT_FORMATS) {
    for (const [name, words] of Object.entries(CONTENTS))
      yield* written(place, `${format}-${name}`, ['--format', format, ...words]);
  }
}

const CONTENTS: Readonly<Record<string, readonly string[]>> = {
  everything: [],
  records: ['--columns', 'record'],
  concerts: ['--query', 'category=concert&free=true', '--columns', 'title,startDatetime,venue,priceMin'],
};

async function* downloads(place: Place, exportIds: readonly string[]): AsyncGenerator<Item> {
  for (const [index, id] of exportIds.entries()) {
    const { body } = await place.ask({ path: `/api/v1/exports/${id}`, headers: { 'x-api-key': place.keys.developer } });
    const { data } = JSON.parse(body.toString()) as { data: { manifest: { files: { name: string; url: string }[] } } };
    if (data.manifest.files.length === 0) throw new Error('an export has no files');
    for (const { name, url } of data.manifest.files) {
      const path = url.slice(PUBLIC_URL.length);
      place.known.set(path.split('/')[2] ?? path, '[access]');
      yield await askItem(place, { path }, `download ${index} ${name}`);
      yield await askItem(place, { path, headers: { range: 'bytes=0-99' } }, `download ${index} ${name}, first 100 bytes`);
      yield await askItem(place, { path, headers: { range: 'bytes=99999999-' } }, `download ${index} ${name}, out of range`);
    }
  }
}

async function* written(place: Place, name: string, words: readonly string[]): AsyncGenerator<Item> {
  const folder = join(place.folder, 'written', name);
  mkdirSync(folder, { recursive: true });
  const { status, stdout, stderr } = await place.marquee(['export', folder, ...words]);
  yield { name: `command export ${name}`, status, text: stdout + stderr };
  // Some formats have no such columns; then the command says so and writes nothing.
  const files = readdirSync(folder).sort();
  if (status === 0 && files.length < 2) throw new Error(`${name} wrote nothing`);
  for (const file of files) {
    const bytes = readFileSync(join(folder, file));
    const isText = !/\.(parquet|gz)$/.test(file);
    yield { name: `file ${name} ${file}`, status: 0, text: isText ? bytes.toString() : '', ...(!isText && { bytes }) };
  }
}
