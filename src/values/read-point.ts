/** A point as people write it: `40.7128,-74.006`, latitude first, in degrees. Null for anything else. */
export function readPoint(text: string): { latitude: number; longitude: number } | null {
  const [, latitude, longitude] = POINT.exec(text.trim()) ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : null;
}

const POINT = /^([+-]?\d{1,3}(?:\.\d+)?)\s*,\s*([+-]?\d{1,3}(?:\.\d+)?)$/;
