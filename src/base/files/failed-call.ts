import { messageOf } from '../errors.ts';

const TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EROFS: 'the file system is read-only',
};

/** Why the operating system refused a file or folder, for a sentence that names it. */
export function failedCallText(error: unknown): string {
  const { code = '' } = error as { readonly code?: string };
  return TEXTS[code] ?? messageOf(error);
}
