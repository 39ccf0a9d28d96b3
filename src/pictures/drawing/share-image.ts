/** The picture of an event that messengers and networks show beside a link: what, when and where, and its picture. */

import { readFileSync } from 'node:fs';
import opentype, { type Font, type Glyph, type PathCommand } from 'opentype.js';
import sharp from 'sharp';
import { hash } from '../../values/random.ts';
import { HEIGHT, WIDTH } from '../posters/ink.ts';
import { drawWide } from '../posters/poster.ts';
import type { ShareFacts } from './jobs.ts';

/** PNG of 1200 × 630. `picture`: one that was resized; null: the poster. */
export async function drawShareImage(facts: ShareFacts, picture: Uint8Array | null): Promise<Uint8Array> {
  const sheet = sharp(Buffer.from(shareSvg(facts)));
  const composed = picture === null ? sheet : sheet.composite([{ input: await cutPicture(picture), left: TEXT_WIDE, top: 0 }]);
  return composed.png({ compressionLevel: 9 }).toBuffer();
}

const cutPicture = (picture: Uint8Array): Promise<Buffer> =>
  sharp(picture)
    .resize({ width: WIDE - TEXT_WIDE, height: HIGH, fit: 'cover' })
    .png()
    .toBuffer();

/** Text stands in it as outlines only. */
function shareSvg({ title, when, venue, city, poster }: ShareFacts): string {
  letters ??= { display: loadLetters(DISPLAY_FONTS), text: loadLetters(TEXT_FONTS) };
  const { display, text } = letters;
  const { size, lines } = fitTitle(display, title);
  const titleTop = TITLE_MIDDLE - ((lines.length - 1) * size * LEADING) / 2 + size * 0.35;
  const titles = lines.map((line, at) => display.outline(line, LEFT, titleTop + at * size * LEADING, size));
  const { picture, palette } = drawWide(poster.category, digits(poster.venueId), digits(poster.run));
  const wide = WIDE - TEXT_WIDE;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${HIGH}" viewBox="0 0 ${WIDE} ${HIGH}">` +
    `<rect width="${WIDE}" height="${HIGH}" fill="${BOARD}"/>` +
    `<svg x="${TEXT_WIDE}" width="${wide}" height="${HIGH}" viewBox="40 0 520 ${(520 * HIGH) / wide}" preserveAspectRatio="xMidYMin slice">` +
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${palette.ground}"/>${picture}</svg>` +
    bulbs() +
    filled(text.outline(fitLine(text, city.toUpperCase(), SMALL), LEFT, 92, SMALL), BULB) +
    filled(titles.join(''), LIT) +
    filled(text.outline(fitLine(text, when, LINE), LEFT, 508, LINE), LIT) +
    filled(text.outline(fitLine(text, venue, LINE), LEFT, 558, LINE), QUIET) +
    '</svg>'
  );
}

/** The largest size at which the whole title fits; where even the smallest is too large, its last line is cut. */
function fitTitle(display: Letters, title: string): { size: number; lines: string[] } {
  for (const size of TITLE_SIZES) {
    const lines = wrap(display, title, size);
    const fits = lines.length * size * LEADING <= TITLE_HIGH && lines.every((line) => display.width(line, size) <= MEASURE);
    if (fits) return { size, lines };
  }
  const size = TITLE_SIZES[TITLE_SIZES.length - 1] as number;
  const lines = wrap(display, title, size);
  const kept = lines.slice(0, MAX_LINES);
  if (lines.length > MAX_LINES) kept[MAX_LINES - 1] = `${kept[MAX_LINES - 1]}…`;
  return { size, lines: kept.map((line) => fitLine(display, line, size)) };
}

function wrap(display: Letters, title: string, size: number): string[] {
  const lines: string[] = [];
  for (const word of title.split(/\s+/)) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && display.width(longer, size) <= MEASURE) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Cut with an ellipsis where it is too wide. */
function fitLine(letters: Letters, text: string, size: number): string {
  if (letters.width(text, size) <= MEASURE) return text;
  let kept = [...text.replace(/…$/, '')];
  while (kept.length > 1 && letters.width(`${kept.join('')}…`, size) > MEASURE) kept = kept.slice(0, -1);
  return `${kept.join('').trimEnd()}…`;
}

const filled = (path: string, color: string): string => `<path d="${path}" fill="${color}"/>`;
const bulbs = (): string =>
  Array.from({ length: 25 }, (_, at) => `<circle cx="${LEFT + 3 + at * 24}" cy="44" r="4.5" fill="${BULB}"/>`).join('');
const digits = (text: string): string => hash(text).toString(16).padStart(8, '0');

let letters: { display: Letters; text: Letters } | undefined;

const [WIDE, HIGH] = [1200, 630];

/** Text as outlines: the same on every machine, whatever fonts it has. */
interface Letters {
  /** In the units of `size`. */
  width(text: string, size: number): number;
  /** Data of an SVG path; (x, y) is where the baseline begins. */
  outline(text: string, x: number, y: number, size: number): string;
}

/** `files` as URLs. A character is written in the first font that has it; one that none has is left out. */
function loadLetters(files: readonly string[]): Letters {
  const fonts = files.map((file) => {
    const { buffer, byteOffset, length } = readFileSync(new URL(file));
    return opentype.parse(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer);
  });
  return {
    width: (text, size) => place(text, fonts, size).width,
    outline: (text, x, y, size) =>
      place(text, fonts, size)
        .glyphs.map(({ glyph, at }) => pathData(glyph.getPath(x + at, y, size).commands))
        .join(''),
  };
}

interface PlacedText {
  glyphs: { glyph: Glyph; at: number }[];
  width: number;
}

/** Glyph by glyph, with kerning and without ligatures: for Latin letters that is all there is. */
function place(text: string, fonts: readonly Font[], size: number): PlacedText {
  const glyphs: PlacedText['glyphs'] = [];
  let width = 0;
  let last: { font: Font; glyph: Glyph } | undefined;
  for (const character of text) {
    const font = fonts.find((each) => each.charToGlyphIndex(character) > 0);
    if (!font) continue;
    const glyph = font.charToGlyph(character);
    const scale = size / font.unitsPerEm;
    if (last?.font === font) width += font.getKerningValue(last.glyph, glyph) * scale;
    glyphs.push({ glyph, at: width });
    width += (glyph.advanceWidth ?? 0) * scale;
    last = { font, glyph };
  }
  return { glyphs, width };
}

/** Our own: the library writes NaN for numbers such as 3e-15. */
function pathData(commands: readonly PathCommand[]): string {
  return commands
    .map((command) => {
      const { type, ...points } = command;
      const { x1, y1, x2, y2, x, y } = points as Partial<Record<string, number>>;
      const numbers = [x1, y1, x2, y2, x, y].filter((each) => each !== undefined);
      return type + numbers.map((each) => Math.round(each * 10) / 10).join(' ');
    })
    .join('');
}

const TEXT_WIDE = 700;
const LEFT = 56;
const MEASURE = TEXT_WIDE - 2 * LEFT;
const TITLE_MIDDLE = 290;
const TITLE_HIGH = 320;
const TITLE_SIZES = [84, 72, 62, 54, 46, 40];
const LEADING = 1.06;
/** At the smallest size. */
const MAX_LINES = 7;
const LINE = 34;
const SMALL = 25;
/** As the pages' header at night. */
const BOARD = '#1a1222';
const LIT = '#fff3dc';
const QUIET = '#c9b8c9';
const BULB = '#ffc857';
const DISPLAY_FONTS = [
  import.meta.resolve('@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-700-normal.woff'),
  import.meta.resolve('@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-ext-700-normal.woff'),
  import.meta.resolve('@fontsource/bricolage-grotesque/files/bricolage-grotesque-vietnamese-700-normal.woff'),
];
const TEXT_FONTS = [
  import.meta.resolve('@fontsource/instrument-sans/files/instrument-sans-latin-500-normal.woff'),
  import.meta.resolve('@fontsource/instrument-sans/files/instrument-sans-latin-ext-500-normal.woff'),
];
