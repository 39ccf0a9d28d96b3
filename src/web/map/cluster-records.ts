/** Records that would cover each other at a zoom are one mark. */

interface Located {
  latitude: number;
  longitude: number;
}

export interface RecordCluster<Each extends Located> extends Located {
  /** In the order of the list: the best first. */
  records: Each[];
}

/** `zoom` as MapLibre counts: the world is 512 · 2^zoom pixels wide. Each record joins the first mark that is near enough. */
export function clusterRecords<Each extends Located>(records: readonly Each[], zoom: number): RecordCluster<Each>[] {
  const scale = WORLD_PIXELS * 2 ** zoom;
  const clusters: (RecordCluster<Each> & { x: number; y: number })[] = [];
  for (const record of records) {
    const [x, y] = [scale * mercatorX(record.longitude), scale * mercatorY(record.latitude)];
    const near = clusters.find((cluster) => Math.hypot(cluster.x - x, cluster.y - y) < APART_PIXELS);
    if (near) near.records.push(record);
    else clusters.push({ x, y, latitude: record.latitude, longitude: record.longitude, records: [record] });
  }
  return clusters.map(({ latitude, longitude, records }) => ({ latitude, longitude, records }));
}

/** Of the world's width. */
const mercatorX = (longitude: number): number => (longitude + 180) / 360;
const mercatorY = (latitude: number): number => {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
};

const WORLD_PIXELS = 512;
/** A mark is a target of 24 pixels at least (WCAG 2.2, 2.5.8); its number needs some more. */
const APART_PIXELS = 34;
