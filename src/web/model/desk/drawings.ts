/** Maps and timelines, as numbers and text that a page draws. */

export interface MapPlace {
  letter: string;
  latitude: number;
  longitude: number;
}

export interface DrawnMap {
  width: number;
  height: number;
  areas: { name: string; path: string }[];
  labels: { x: number; y: number; text: string }[];
  marks: { letter: string; x: number; y: number }[];
  /** A line of known length. */
  scale: { width: number; text: string };
  /** What a reader who does not see it should know. */
  says: string;
}

export interface DrawnTimeline {
  width: number;
  height: number;
  bars: {
    letter: string;
    x: number;
    y: number;
    width: number;
    /** `open`: when it ends is not said; `vague`: only the day is known. */
    kind: 'whole' | 'open' | 'vague';
    text: string;
  }[];
  /** `x`: of the line; `textX`: the middle of its label, which stays inside. */
  ticks: { x: number; textX: number; text: string }[];
  /** Where the axis is. */
  axis: number;
  /** What a reader who does not see it should know. */
  says: string;
}
