// Where and when a city is: its clock, and areas on its map.
// Zones, local times and GeoJSON enter; instants, days and answers to "is this point inside" leave.
// Pure functions that load nothing: also the process that reads strangers' bytes has them.
export { type CityTime, createCityTime } from './city-time.ts';
export { type DrawnAreas, drawAreas } from './draw-areas.ts';
export {
  NAMED_WINDOWS,
  type NamedWindow,
  namedWindow,
  serviceDay,
  serviceDayWindow,
  type TimeWindow,
  WEEKDAYS,
} from './named-window.ts';
export {
  BORDER_DEGREES,
  boundingBox,
  covers,
  type PolygonGeometry,
  type Position,
  pointInside,
  polygons,
  ringArea,
} from './polygon.ts';
