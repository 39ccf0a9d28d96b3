/** A network that went silent keeps a question waiting for ever. */

/** What comes of `work`, or of `late` after so many milliseconds: an error where nothing else is given. The work itself goes on. */
export async function withTimeout<T, L = never>(
  work: Promise<T>,
  milliseconds: number,
  late: () => L = () => {
    throw new Error(`no answer within ${milliseconds} ms`);
  },
): Promise<T | L> {
  const passed = Promise.withResolvers<typeof PASSED>();
  const timer = setTimeout(passed.resolve, milliseconds, PASSED);
  try {
    const first = await Promise.race([work, passed.promise]);
    return first === PASSED ? late() : first;
  } finally {
    clearTimeout(timer);
  }
}

const PASSED = Symbol('passed');
