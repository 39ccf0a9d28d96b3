/** What kind of picture some bytes are, by their first bytes: what a server calls them does not count. */

/** Null for everything else, SVG included: it could ask for other files. */
export function imageKind(bytes: Uint8Array): 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp';
  // ISO 14496-12 §4.3: the brand stands behind the size and `ftyp`.
  if (/^.{4}ftyp(?:avif|avis)/s.test(head)) return 'avif';
  return null;
}

const HEAD_BYTES = 16;
