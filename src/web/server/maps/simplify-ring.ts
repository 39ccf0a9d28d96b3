/** Fewer points for a border that looks the same on a map (Ramer, Douglas and Peucker). */

type Position = readonly number[];

/** Degrees with five digits, about a meter. A ring that is smaller than the tolerance has fewer than four points. */
export function simplifyRing(ring: readonly Position[]): [number, number][] {
  const points = ring.map(([longitude = 0, latitude = 0]): [number, number] => [round(longitude), round(latitude)]);
  const kept = new Uint8Array(points.length);
  kept[0] = 1;
  kept[points.length - 1] = 1;
  const spans: [first: number, last: number][] = [[0, points.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const far = farthest(points, ...span);
    if (far === null) continue;
    kept[far] = 1;
    spans.push([span[0], far], [far, span[1]]);
  }
  return points.filter((_, at) => kept[at] === 1);
}

/** The point between two that is farthest from the line between them; null if all are near it. */
function farthest(points: readonly [number, number][], first: number, last: number): number | null {
  const [a, b] = [points[first], points[last]];
  if (!a || !b) return null;
  let [best, at]: [number, number | null] = [TOLERANCE, null];
  for (let i = first + 1; i < last; i += 1) {
    const away = distanceToLine(points[i] ?? a, a, b);
    if (away > best) [best, at] = [away, i];
  }
  return at;
}

function distanceToLine([x, y]: Position, [x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy);
  // A ring begins where it ends.
  if (length === 0) return Math.hypot((x ?? 0) - x1, (y ?? 0) - y1);
  return Math.abs(dy * (x ?? 0) - dx * (y ?? 0) + x2 * y1 - y2 * x1) / length;
}

const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
/** Degrees: some ten meters. */
const TOLERANCE = 0.0001;
