import type { FileHandle } from 'node:fs/promises';
import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../driver.ts';
import { expandedName } from '../files/compression.ts';
import { type FileContents, openFileWriter } from '../files/file-writer.ts';
import { partBytesOf } from '../files/set/set-config.ts';
import { SetPattern } from '../files/set/set-pattern.ts';
import { openSetWriter } from '../files/set/set-writer.ts';
import type { FileStorage, StagedFile } from '../files/storage/file-storage.ts';
import type { JsonConfig } from './config.ts';
import { type RecordRules, recordWriter } from './record-text.ts';

type Kind = 'list' | 'lines';

/** Bytes at both ends of a file that show its layout. */
const endBytes = 64 * 1024;

async function bytesAt(handle: FileHandle, from: number): Promise<Buffer> {
  const buffer = Buffer.alloc(endBytes);
  const { bytesRead } = await handle.read(buffer, 0, endBytes, Math.max(0, from));
  return buffer.subarray(0, bytesRead);
}

function wrongEnd(name: string): ConnectorError {
  return new ConnectorError(
    'CONFIG',
    `The file "${name}" is neither a JSON list nor NDJSON, so nothing can be appended`,
  );
}

interface Continuation {
  readonly kind: Kind;
  /** The next record of a list comes after a comma. */
  readonly hasRecords: boolean;
}

/** Finds the layout of the copied file, and cuts off its closing bracket. */
async function continueFile(staged: StagedFile, handle: FileHandle, name: string): Promise<Continuation> {
  const head = (await bytesAt(handle, 0))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const { size } = await handle.stat();
  const from = Math.max(0, size - endBytes);
  const tail = await bytesAt(handle, from);
  let end = tail.length;
  while (end > 0 && [32, 9, 10, 13].includes(tail[end - 1] ?? 0)) end--;
  if (end === 0 && from === 0) {
    staged.cut(0);
    return { kind: 'lines', hasRecords: false };
  }
  if (head.startsWith('{') && tail[end - 1] === 125) {
    if (end === tail.length) await staged.write('\n');
    return { kind: 'lines', hasRecords: true };
  }
  if (!head.startsWith('[') || tail[end - 1] !== 93) throw wrongEnd(name);
  let last = end - 1;
  while (last > 0 && [32, 9, 10, 13].includes(tail[last - 1] ?? 0)) last--;
  staged.cut(from + last);
  return { kind: 'list', hasRecords: tail[last - 1] !== 91 };
}

function newKind(config: JsonConfig, file: string): Kind {
  if (config.format !== 'auto') return config.format === 'ndjson' ? 'lines' : 'list';
  return /\.(ndjson|jsonl)$/i.test(expandedName(file)) ? 'lines' : 'list';
}

/** The records of a file, which may have some already. */
class JsonRecords implements FileContents {
  readonly #kind: Kind;
  readonly #rules: RecordRules;
  #hasRecords: boolean;

  constructor(kind: Kind, hasRecords: boolean, rules: RecordRules) {
    this.#rules = rules;
    this.#kind = kind;
    this.#hasRecords = hasRecords;
  }

  prepare({ rows, columns }: Batch): () => string {
    if (rows.length === 0) return () => '';
    const write = recordWriter(columns, this.#rules);
    const texts = rows.map(write);
    return () => {
      const before = this.#hasRecords ? ',' : '[';
      this.#hasRecords = true;
      return this.#kind === 'lines' ? `${texts.join('\n')}\n` : `${before}\n${texts.join(',\n')}`;
    };
  }

  end(): string {
    if (this.#kind === 'lines') return '';
    return this.#hasRecords ? '\n]\n' : '[\n]\n';
  }
}

/** Opens a load into a JSON list or NDJSON file. Throws `CONFIG` and `TARGET`. */
export async function openJsonWriter(
  files: FileStorage,
  config: JsonConfig,
  request: WriteRequest,
): Promise<Writer> {
  if (config.records !== undefined)
    throw new ConnectorError('CONFIG', 'A connector with "records" is read-only; leave it out to write');
  const rules = (object: string): RecordRules => ({ object, nonFinite: config.non_finite });
  const pattern = SetPattern.of(request.object);
  if (pattern !== null)
    return openSetWriter(files, pattern, request, {
      title: 'JSON',
      partBytes: partBytesOf(config),
      contentsOf: (name) => new JsonRecords(newKind(config, name), false, rules(name)),
    });
  let records = new JsonRecords(newKind(config, request.object), false, rules(request.object));
  return openFileWriter(files, request, {
    title: 'JSON',
    begin: async (staged) => {
      let kind = newKind(config, request.object);
      let hasRecords = false;
      if (staged.continues && staged.handle !== null) {
        const found = await continueFile(staged, staged.handle, request.object);
        hasRecords = found.hasRecords;
        if (found.hasRecords || found.kind === 'list') kind = found.kind;
        if (found.kind === 'list' && !found.hasRecords) staged.cut(0);
      }
      records = new JsonRecords(kind, hasRecords, rules(request.object));
    },
    prepare: (batch) => records.prepare(batch),
    end: () => records.end(),
  });
}
