/** A picture of a stranger, cut to 4:3 and written anew in several widths: nothing of its bytes is served. */

import sharp, { type SharpOptions } from 'sharp';
import { imageKind } from '../image-kind.ts';
import { PICTURE_RATIO } from '../posters/wide-poster.ts';

/** Throws for whatever is no picture, too small or too large. WebP, in the order of `widths`; never enlarged. */
export async function resizePicture(bytes: Uint8Array, widths: readonly number[]): Promise<Uint8Array[]> {
  if (imageKind(bytes) === null) throw new Error('not a JPEG, PNG, GIF, WebP or AVIF file');
  // The header alone: pixels are decoded when their number is known.
  const { autoOrient } = await sharp(bytes, INPUT).metadata();
  const { width, height } = autoOrient;
  if (Math.min(width, height) < MIN_SIDE) throw new Error(`${width} × ${height} pixels are too few`);
  const widest = Math.min(Math.max(...widths), width, Math.round(height * PICTURE_RATIO));
  const { data, info } = await sharp(bytes, INPUT)
    .autoOrient()
    // Of what is cut off, as little as possible is what people look at.
    .resize({ ...sizeAt(widest), fit: 'cover', position: sharp.strategy.attention })
    .flatten({ background: '#fff' })
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return Promise.all(
    widths.map((wide) =>
      sharp(data, { raw })
        .resize(sizeAt(Math.min(wide, widest)))
        .webp({ quality: QUALITY })
        .toBuffer(),
    ),
  );
}

const sizeAt = (width: number) => ({ width, height: Math.round(width / PICTURE_RATIO) });

const INPUT: SharpOptions = { limitInputPixels: 40_000_000, failOn: 'error', pages: 1 };
/** Pixels. What is smaller is an icon, or counts visitors. */
const MIN_SIDE = 100;
const QUALITY = 76;
