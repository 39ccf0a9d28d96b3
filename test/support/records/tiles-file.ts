/** A PMTiles archive (specification v3) with one vector tile (Mapbox Vector Tile 2.1), written from scratch. */

/** Bytes of a varint (protocol buffers). */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}
const number = (field: number, value: number): number[] => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: readonly number[]): number[] => [
  ...varint((field << 3) | 2),
  ...varint(value.length),
  ...value,
];
const text = (field: number, value: string): number[] => bytes(field, [...new TextEncoder().encode(value)]);
const zigzag = (value: number): number => (value << 1) ^ (value >> 31);

/** A layer with one polygon over the whole tile. */
function layer(name: string, kind: string): number[] {
  const moveTo = (1 & 7) | (1 << 3);
  const lineTo = (2 & 7) | (3 << 3);
  const close = (7 & 7) | (1 << 3);
  const geometry = [moveTo, 0, 0, lineTo, 4096, 0, 0, 4096, -4096, 0].map((part, at) =>
    [0, 3].includes(at) ? part : zigzag(part),
  );
  const feature = [...bytes(2, [0, 0]), ...number(3, 3), ...bytes(4, [...geometry, close].flatMap(varint))];
  const value = text(1, kind);
  return [...number(15, 2), ...text(1, name), ...bytes(2, feature), ...text(3, 'kind'), ...bytes(4, value), ...number(5, 4096)];
}

/** Everything is water, in the schema of Protomaps. Zoom 0 alone: a map shows it at every zoom. */
export function tilesFile({ version = 3, type = 1, west = -180, south = -85, east = 180, north = 85 } = {}): Uint8Array {
  const tile = Uint8Array.from(['water', 'roads'].flatMap((name) => bytes(3, layer(name, 'water'))));
  const metadata = new TextEncoder().encode(JSON.stringify({ vector_layers: [{ id: 'water' }, { id: 'roads' }] }));
  // One entry: its id, its run length, its length, and its offset plus one.
  const root = Uint8Array.from([1, 0, 1, tile.length, 1].flatMap(varint));
  const header = new DataView(new ArrayBuffer(127));
  for (const [at, code] of [...new TextEncoder().encode('PMTiles')].entries()) header.setUint8(at, code);
  header.setUint8(7, version);
  const lengths = [root.length, metadata.length, 0, tile.length];
  let offset = 127;
  for (const [at, length] of lengths.entries()) {
    header.setBigUint64(8 + at * 16, BigInt(offset), true);
    header.setBigUint64(16 + at * 16, BigInt(length), true);
    offset += length;
  }
  for (const at of [72, 80, 88]) header.setBigUint64(at, 1n, true);
  // Clustered; nothing is compressed.
  for (const [at, value] of [1, 1, 1, type, 0, 0].entries()) header.setUint8(96 + at, value);
  for (const [at, degrees] of [west, south, east, north].entries()) header.setInt32(102 + at * 4, degrees * 1e7, true);
  return Uint8Array.from([...new Uint8Array(header.buffer), ...root, ...metadata, ...tile]);
}
