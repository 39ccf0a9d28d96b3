import fc from 'fast-check';

/** Halves of signs, from U+D800 on. */
const SURROGATES = 0x800;

/** Any sign that a text can hold. What fast-check has for it, `unit: 'binary'`, takes a second of every process to prepare. */
export const codePoint = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + SURROGATES));
