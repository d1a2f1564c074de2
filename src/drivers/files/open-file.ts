import type { z } from 'zod';
import { ConnectorError, type PageRequest, type ReadRequest } from '../driver.ts';
import { expandedFile } from './expanded-file.ts';
import { parseInput } from './parse-input.ts';
import type { FileStorage, OpenedFile } from './storage/file-storage.ts';

/** The name of a page's file; undefined for the only one that the connector holds. */
export function fileOf({ resource }: PageRequest): string | undefined {
  return resource === '' ? undefined : resource;
}

/** Opens a file, a compressed one so that its contents are read. */
async function openContents(files: FileStorage, name: string | undefined): Promise<OpenedFile> {
  return contentsOf(await files.open(name));
}

/** Closes the file where it cannot be read. */
async function contentsOf(file: OpenedFile): Promise<OpenedFile> {
  try {
    return await expandedFile(file);
  } catch (error) {
    await requireReason(file, error).finally(() => file.handle.close());
    throw error;
  }
}

/** Throws where the file has changed, which is why it could not be read then. */
async function requireReason({ requireUnchanged }: OpenedFile, error: unknown): Promise<void> {
  if (error instanceof ConnectorError) await requireUnchanged?.();
}

/** Opens a file, works on it and closes it, whatever happens. Throws `UNAVAILABLE` where it changed meanwhile. */
export async function withFile<T>(
  files: FileStorage,
  name: string | undefined,
  work: (file: OpenedFile) => Promise<T>,
): Promise<T> {
  const file = await openContents(files, name);
  try {
    const done = await work(file);
    await file.requireUnchanged?.();
    return done;
  } catch (error) {
    await requireReason(file, error);
    throw error;
  } finally {
    await file.handle.close();
  }
}

/** The same for a stream: the file is opened at the first item and closed when the stream ends or is left. What it gave of a file that changed ends with the error. */
export async function* withFileStream<T>(
  files: FileStorage,
  name: string | undefined,
  stream: (file: OpenedFile) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const file = await openContents(files, name);
  try {
    yield* stream(file);
    await file.requireUnchanged?.();
  } catch (error) {
    await requireReason(file, error);
    throw error;
  } finally {
    await file.handle.close();
  }
}

/**
 * The test of a file connector: `12 files`, of which the first is what the connector reads, or the name of its one file when that is.
 * `describe` looks into it, and throws where it is of another format.
 */
export async function testFiles(
  files: FileStorage,
  signal: AbortSignal,
  describe: (file: OpenedFile) => Promise<unknown>,
): Promise<string> {
  const names = await files.list();
  signal.throwIfAborted();
  // Names alone do not prove that files can be read: who may list need not, and names may be part of the configuration.
  if (files.isFolder && names.length === 0) return '0 files';
  const file = await files.open(files.isFolder ? names[0] : undefined);
  const contents = await contentsOf(file);
  await describe(contents).finally(() => contents.handle.close());
  if (files.isFolder) return names.length === 1 ? '1 file' : `${names.length} files`;
  const size = file.sizeBytes === null ? '' : `, ${file.sizeBytes.toLocaleString('en')} bytes`;
  return `${file.name}${size}`;
}

export function noMethod(type: string, method: string): ConnectorError {
  return new ConnectorError('CONFIG', `A "${type}" connector has no method "${method}"`);
}

/** The arguments of a call of `read`, by their schema. Throws `CONFIG` for arguments that do not fit it, and for any other method. */
export function readArgsOf<T>(
  type: string,
  schema: z.ZodType<T>,
  { method, args }: Pick<ReadRequest, 'method' | 'args'>,
): T {
  if (method !== 'read') throw noMethod(type, method);
  return parseInput(schema, args ?? {}, 'the arguments of "read"');
}
