/** What people have answered about the places of names whose street nobody knew. All later runs respect it. */

/** Latitude and longitude in degrees (WGS84). */
interface AnsweredPoint {
  latitude: number;
  longitude: number;
  /** The point is not that of the door. */
  isApproximate?: true;
}

export type PlaceAnswer =
  /** Not to be asked again. The listings stay where they are. */
  | { act: 'ignore' }
  /** The name is another name of this venue. */
  | ({ act: 'same'; name: string; address: string | null } & AnsweredPoint)
  /** A venue of this name stands here. */
  | ({ act: 'here'; address: string | null } & AnsweredPoint);
