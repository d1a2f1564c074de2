import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';

const OTHERS = 0o077;
/** What the server puts beside its state. */
const OWN_NAME = /\.(db(-wal|-shm|-journal|-lock)?|key)$|^headgate\.yaml$/;

/**
 * Makes a folder that its owner alone may enter. One that is there is closed to others if it belongs to this user and holds
 * nothing but the server's own files: in a working folder, other things are other people's business as well.
 */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (openToOthers(path) !== undefined && readdirSync(path).every((name) => OWN_NAME.test(name)))
    close(path, 0o700);
}

/** Makes an empty file where there is none, for its owner alone; one that is there is closed to others if it is this user's. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) closeToOthers(path);
  else closeSync(openSync(path, 'a', 0o600));
}

/**
 * Also a SQLite database with what belongs to it. Does nothing where there is no such file, or it is not this user's. A folder
 * that was given in place of a file stays as it is: it may be everybody's, such as `/tmp`.
 */
export function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    const found = openToOthers(file);
    if (found?.isFile()) close(file, 0o600);
  }
}

export function closeFolderToOthers(path: string): void {
  if (openToOthers(path) !== undefined) close(path, 0o700);
}

/** What is there, if it is this user's and others have rights on it. */
function openToOthers(path: string): Stats | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const isOpen = found !== undefined && found.uid === process.getuid?.() && (found.mode & OTHERS) !== 0;
  return isOpen ? found : undefined;
}

/** Some file systems know no rights. */
function close(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch {
    // Then there is nothing to close.
  }
}
