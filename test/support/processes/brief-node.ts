/**
 * How Node runs what does not live long: the processes of the tests and those that they start. Engines of databases are compiled
 * once only: a second time, for speed, would take longer than it saves, and so do the notes for it, a ninth of their time. Things
 * are cleared up when there are 16 MB of them, and what outlives that when there are 400 MB, not from the first ones on.
 */
export const BRIEF_NODE: readonly string[] = [
  '--liftoff-only',
  '--no-wasm-inlining',
  '--min-semi-space-size=16',
  '--initial-old-space-size=400',
];
