/**
 * Addresses: text as listings write it to a point of the city, and how sure that point is.
 * In: files with house numbers and streets, which an operator imports; known venues and areas from the caller.
 * Out: a placer that answers from memory, the credits of what was imported, and a digest of it.
 */

export { listAddressFiles, loadPlaceCredits, registerDigest, removeAddressFile } from './address-files.ts';
export { loadPlacer } from './load-placer.ts';
export type { AddressPlacer, PlacedText, PlacePrecision, PlacerContext } from './model.ts';
