import type { z } from 'zod';
import type { ConnectContext, Connection, ReadRequest } from '../../driver.ts';
import { fileRows, filesToRead, type ReadFile } from '../file-rows.ts';
import { noMethod, readArgsOf } from '../open-file.ts';
import type { FilesArgs } from '../read-args.ts';
import type { FileStorage } from '../storage/file-storage.ts';
import { type FileQuery, queryFiles } from './query-files.ts';

interface ReadMethods<Args extends FilesArgs> extends Pick<FileQuery, 'direct'> {
  /** Of the connector, as its errors name it. */
  readonly type: string;
  readonly files: FileStorage;
  readonly context: ConnectContext;
  /** Arguments of `read`. */
  readonly args: z.ZodType<Args>;
  /** All batches of a read have the same columns; see `Driver.capabilities`. */
  readonly areColumnsFixed: boolean;
  /** How a `read` with these arguments reads each of its files. */
  reader(args: Args, request: ReadRequest): ReadFile;
}

/** The methods of a connector of files: `read`, `query` over what it reads, and no other. */
export function readMethods<Args extends FilesArgs>({
  type,
  files,
  context,
  args: schema,
  areColumnsFixed,
  direct,
  reader,
}: ReadMethods<Args>): Pick<Connection, 'read' | 'call'> & Required<Pick<Connection, 'filesOf'>> {
  const read: Connection['read'] = (request) => {
    const args = readArgsOf(type, schema, request);
    const { signal, limit, files: found } = request;
    return fileRows({
      storage: files,
      args,
      signal,
      limit,
      found,
      areColumnsFixed,
      read: reader(args, request),
    });
  };
  return {
    read: (request) =>
      request.method === 'query'
        ? queryFiles({ files, context, request, read, ...(direct && { direct }) })
        : read(request),
    filesOf: async ({ signal, ...call }) =>
      filesToRead({ storage: files, args: readArgsOf(type, schema, call), signal }),
    call: async (method) => {
      throw noMethod(type, method);
    },
  };
}
