/** Answers that are kept for a while: texts of listings come again and again, and reading one takes long. */

/**
 * A function that answers from memory, or else makes the answer and keeps it. With `most` answers all are forgotten, so that the memory
 * stays small. An answer must depend on the key alone, and nobody may change it.
 */
export function createMemory<T>(most: number): (key: string, make: () => T) => T {
  const answers = new Map<string, T>();
  return (key, make) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (answers.size >= most) answers.clear();
    answers.set(key, made);
    return made;
  };
}
