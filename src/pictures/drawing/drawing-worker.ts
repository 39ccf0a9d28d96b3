/** A process that decodes pictures and draws. Started by URL; takes one `DrawingJob` after another and ends with whoever started it. */

import sharp, { type SharpOptions } from 'sharp';
import { PICTURE_RATIO } from '../posters/poster.ts';
import type { DrawingJob, DrawingReport } from './jobs.ts';
import { drawShareImage } from './share-image.ts';

sharp.cache(false);
sharp.concurrency(1);
const report = (message: DrawingReport): void => void process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', (job: DrawingJob) => {
  draw(job).then(
    (images) => report({ say: 'drawn', images }),
    (error: Error) => report({ say: 'rejected', reason: error.message.slice(0, MAX_REASON_CHARS) }),
  );
});
report({ say: 'ready' });

async function draw(job: DrawingJob): Promise<Uint8Array[]> {
  if (job.do === 'resize') return resizePicture(job.bytes, job.widths);
  return [await drawShareImage(job.facts, job.picture)];
}

/**
 * A picture of a stranger, cut to 4:3 and written anew in several widths: nothing of its bytes is served. Throws for whatever is no picture,
 * too small or too large. WebP, in the order of `widths`; never enlarged.
 */
async function resizePicture(bytes: Uint8Array, widths: readonly number[]): Promise<Uint8Array[]> {
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

/** By its first bytes: what a server calls a picture does not count. Null for everything else, SVG included: it could ask for other files. */
function imageKind(bytes: Uint8Array): 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp';
  // ISO 14496-12 §4.3: the brand stands behind the size and `ftyp`.
  if (/^.{4}ftyp(?:avif|avis)/s.test(head)) return 'avif';
  return null;
}

const MAX_REASON_CHARS = 200;
const INPUT: SharpOptions = { limitInputPixels: 40_000_000, failOn: 'error', pages: 1 };
/** Pixels. What is smaller is an icon, or counts visitors. */
const MIN_SIDE = 100;
const QUALITY = 76;
const HEAD_BYTES = 16;
