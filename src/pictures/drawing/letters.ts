/** Text as outlines: the same on every machine, whatever fonts it has. */

import { readFileSync } from 'node:fs';
import opentype, { type Font, type Glyph, type PathCommand } from 'opentype.js';

export interface Letters {
  /** In the units of `size`. */
  width(text: string, size: number): number;
  /** Data of an SVG path; (x, y) is where the baseline begins. */
  outline(text: string, x: number, y: number, size: number): string;
}

/** `files` as URLs. A character is written in the first font that has it; one that none has is left out. */
export function loadLetters(files: readonly string[]): Letters {
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
