/** One figure of `docs/data-quality.md`. */

export interface Figure {
  /** What was measured. */
  name: string;
  /** As printed. */
  value: string;
  /** What prints it. */
  command: string;
  /** How it was measured, or what explains what is missing. */
  note?: string;
}
