/** `1 venue`, `20 venues`; `plural` for words that take more than an s. */
export function counted(count: number, word: string, plural = `${word}s`): string {
  return `${count} ${count === 1 ? word : plural}`;
}
