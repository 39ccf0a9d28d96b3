/** A process that decodes pictures and draws. Started by URL; takes one `DrawingJob` after another and ends with whoever started it. */

import sharp from 'sharp';
import type { DrawingJob, DrawingReport } from './jobs.ts';
import { resizePicture } from './resize.ts';
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

const MAX_REASON_CHARS = 200;
