/**
 * Addresses: text as listings write it to a point of the city, and how sure that point is.
 * In: files with house numbers, streets and names of houses, which an operator imports; known venues and areas from the caller; answers of a geocoder.
 * Out: a placer that answers from memory, a geocoder to ask what it cannot place, the credits of all that, and a digest of the files;
 * houses by their names, which are looked up in the store;
 * elements of files of OpenStreetMap.
 */

export { listAddressFiles, loadPlaceCredits, registerDigest, removeAddressFile } from './address-files.ts';
export { surer } from './create-placer.ts';
export { createNodeTable, type NodeTable, type OsmElement } from './formats/osm-element.ts';
export { type Geocoder, openGeocoder } from './geocoder/open-geocoder.ts';
export { type AddressImport, importAddressFile, OSM_CREDIT } from './import-file.ts';
export { loadPlacer } from './load-placer.ts';
export type { AddressPlacer, GeocoderQuestion, PlacedText, PlacePrecision, PlacerContext } from './model.ts';
export {
  findHouseByName,
  loadHousesNamed,
  loadNamedHouse,
  loadSimilarHouses,
  type NamedHouse,
  onlyHouse,
} from './named-houses.ts';
export { isOsmFormat, openAddressFile, readOsmElements } from './open-file.ts';
