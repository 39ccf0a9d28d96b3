/** Functions over one context, such as the operations of a room, as the methods of an object. */

/** The functions of `F` without their first argument. */
export type Bound<Context, F> = {
  [Name in keyof F]: F[Name] extends (context: Context, ...rest: infer Rest) => infer Answer ? (...rest: Rest) => Answer : never;
};

/** Gives each function `context` as its first argument. */
export function bindAll<Context, F extends Readonly<Record<string, (context: Context, ...rest: never[]) => unknown>>>(
  context: Context,
  functions: F,
): Bound<Context, F> {
  const bound = Object.entries(functions).map(([name, each]) => [name, (...rest: never[]) => each(context, ...rest)]);
  return Object.fromEntries(bound) as Bound<Context, F>;
}
