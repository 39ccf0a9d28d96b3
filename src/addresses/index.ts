/**
 * Addresses: text as listings write it to a point of the city, and how sure that point is.
 * In: files with house numbers and streets, which an operator imports; known venues and areas from the caller.
 * Out: a placer that answers from memory, the credits of what was imported, and a digest of it; elements of files of OpenStreetMap.
 */

export { listAddressFiles, loadPlaceCredits, registerDigest, removeAddressFile } from './address-files.ts';
export { createNodeTable, type NodeTable, type OsmElement } from './formats/osm-element.ts';
export { type AddressImport, importAddressFile, OSM_CREDIT } from './import-file.ts';
export { loadPlacer } from './load-placer.ts';
export type { AddressPlacer, PlacedText, PlacePrecision, PlacerContext } from './model.ts';
export { isOsmFormat, openAddressFile, readOsmElements } from './open-file.ts';
