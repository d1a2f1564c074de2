import type { MapReader } from './map-reader.ts';

/** The keys with which tasks and job templates begin. */
export interface DocumentHeader {
  readonly version: 1;
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

const NAME_CHARS_MAX = 200;

/** Reads `version` (1, also where it is absent), `name` (required), `description` and `labels`. */
export function readHeader(reader: MapReader): DocumentHeader {
  const version = reader.value('version');
  if (version !== null && version !== 1)
    reader.wrong('version', `"version" must be 1, not "${String(version)}"`);
  const name = reader.text('name', { required: true, charsMax: NAME_CHARS_MAX }) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (name !== name.trim() || /[\u0000-\u001f\u007f]/.test(name)) {
    reader.wrong('name', '"name" must be one line without spaces around it');
  }
  return { version: 1, name, description: reader.text('description'), labels: reader.texts('labels') };
}
