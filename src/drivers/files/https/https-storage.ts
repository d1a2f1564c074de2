import { type ConnectContext, ConnectorError } from '../../driver.ts';
import { namePattern } from '../name-pattern.ts';
import type { FileStorage, OpenedFile } from '../storage/file-storage.ts';
import type { FoundFile } from '../storage/found-file.ts';
import { RemotePlace } from '../storage/remote-place.ts';
import type { HttpsConfig } from './https-config.ts';
import { openHttpsFile } from './https-file.ts';
import { HttpsServer } from './https-server.ts';

const MANIFEST_BYTES_MAX = 8 * 1024 * 1024;
const MANIFEST_FILES_MAX = 100_000;
/** Files whose size and time are asked for at the same time. */
const ASKED_AT_ONCE = 8;

/** Files of a web server, which are only read. A path that ends with `/` is a folder, and any other one file. */
class HttpsStorage implements FileStorage {
  readonly isFolder: boolean;
  readonly #server: HttpsServer;
  readonly #base: URL;
  readonly #config: HttpsConfig;
  readonly #place: RemotePlace;

  constructor(server: HttpsServer, base: URL, config: HttpsConfig) {
    this.#server = server;
    this.#base = base;
    this.#config = config;
    this.#place = new RemotePlace(decodedPath(base));
    this.isFolder = this.#place.isFolder;
  }

  async list(): Promise<readonly string[]> {
    if (!this.isFolder) return [this.#place.onlyName];
    return [...(await this.#names())].sort();
  }

  async find(given: string | null, signal: AbortSignal): Promise<readonly FoundFile[]> {
    const pattern = this.#place.patternOf(given);
    const { matches } = pattern === null ? { matches: () => true } : namePattern(pattern);
    const names = (await this.list()).filter(matches);
    const found: FoundFile[] = [];
    for (let from = 0; from < names.length; from += ASKED_AT_ONCE) {
      const asked = names.slice(from, from + ASKED_AT_ONCE).map((name) => this.#found(name, signal));
      found.push(...(await Promise.all(asked)));
    }
    return found;
  }

  async open(given: string | undefined): Promise<OpenedFile> {
    const { name } = this.#place.fileAt(given);
    return openHttpsFile({ server: this.#server, url: this.#urlOf(name), name });
  }

  async stage(): Promise<never> {
    throw readOnly();
  }

  async set(): Promise<never> {
    throw readOnly();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #urlOf(name: string): URL {
    if (!this.isFolder) return this.#base;
    return new URL(name.split('/').map(encodeURIComponent).join('/'), this.#base);
  }

  async #names(): Promise<readonly string[]> {
    const { files, manifest } = this.#config.https ?? {};
    const names = manifest === undefined ? files : await this.#manifest(manifest);
    if (names === undefined)
      throw new ConnectorError(
        'CONFIG',
        'A web server does not list its files: name one in "file", or all of them in "files" or "manifest" of "https"',
      );
    return names.map((name) => this.#place.fileAt(name).name);
  }

  async #manifest(name: string): Promise<readonly string[]> {
    const { handle, sizeBytes } = await this.open(name);
    try {
      const bytes = Buffer.alloc(MANIFEST_BYTES_MAX + 1);
      const { bytesRead } = await handle.read(bytes, 0, Math.min(sizeBytes ?? bytes.length, bytes.length), 0);
      const names = namesIn(bytes.toString('utf8', 0, bytesRead));
      if (names !== null && names.length <= MANIFEST_FILES_MAX && bytesRead <= MANIFEST_BYTES_MAX)
        return names;
      const message = `The manifest "${name}" must name up to 100,000 files, one in a line or as a JSON list of texts`;
      throw new ConnectorError('DATA', message);
    } finally {
      await handle.close();
    }
  }

  async #found(name: string, signal: AbortSignal): Promise<FoundFile> {
    const answer = await this.#server.ask({ url: this.#urlOf(name), name, method: 'HEAD', signal });
    await answer.close();
    const modified = Date.parse(answer.headers.get('last-modified') ?? '');
    return {
      name,
      sizeBytes: Number(answer.headers.get('content-length') ?? 0),
      get modified() {
        if (Number.isFinite(modified)) return new Date(modified).toISOString();
        const message = `The server does not report when "${name}" changed: omit "modified_column"`;
        throw new ConnectorError('CONFIG', message);
      },
    };
  }
}

function readOnly(): ConnectorError {
  return new ConnectorError(
    'CONFIG',
    'Files of a web server are read-only: use a "path" that can be written',
  );
}

function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Null for JSON that is no list of texts. */
function namesIn(text: string): readonly string[] | null {
  if (!text.trimStart().startsWith('[')) {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    return lines.filter((line) => line !== '' && !line.startsWith('#'));
  }
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) && found.every((name) => typeof name === 'string') ? found : null;
  } catch {
    return null;
  }
}

export function openHttpsStorage({
  config,
  base,
  context,
}: {
  readonly config: HttpsConfig;
  readonly base: URL;
  readonly context: ConnectContext;
}): FileStorage {
  const server = new HttpsServer(config, context);
  server.checkUrl(base);
  return new HttpsStorage(server, base, config);
}
