/** Why the system refused a file or folder, in words that stand behind a colon. */

/** What is not known by its code is told as the system tells it. */
export function describeFileTrouble(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

/** Whether the system refused a file: a fault of the program has no call of the system. */
export const isFileTrouble = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string' && 'errno' in error;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder or file does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EPIPE: 'nobody reads it any more',
};
