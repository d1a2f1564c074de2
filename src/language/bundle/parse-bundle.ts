import { isRecord } from '../../base/json.ts';
import { names, text } from '../declare/values.ts';
import { type DocumentCheck, type Parsed, parseDocument } from '../yaml/document-check.ts';
import { type MapReader, readMap } from '../yaml/map-reader.ts';
import type { Path } from '../yaml/yaml-path.ts';
import {
  BUNDLE_FORMAT,
  BUNDLE_LIMITS,
  type Bundle,
  type BundleConnector,
  type BundleDefinition,
  type BundleTemplate,
} from './bundle.ts';

/** The texts that stand beside a document, by path. */
export type BundleFiles = ReadonlyMap<string, string>;

/** A bundle is mostly texts, which are one value each; aliases would let a small document stand for a huge one. */
const YAML_LIMITS = {
  bytesMax: BUNDLE_LIMITS.bytesMax,
  linesMax: 200_000,
  depthMax: 40,
  tokensMax: 200_000,
  nodesMax: 40_000,
  aliasesMax: 0,
};

/**
 * Reads the YAML of a bundle. Every problem at once, with line and column; the texts of the definitions stay texts, which their own
 * parsers read. `files` holds the texts of a zip, each of which belongs to one definition.
 */
export function parseBundle(text: string, files: BundleFiles = new Map()): Parsed<Bundle> {
  return parseDocument(text, (check, value) => readBundle(new BundleReader(check, files), value), {
    limits: YAML_LIMITS,
  });
}

const TYPE = text('', { required: true, charsMax: BUNDLE_LIMITS.typeCharsMax });
const NAME = text('', { required: true, charsMax: BUNDLE_LIMITS.nameCharsMax });
const DESCRIPTION = text('', { charsMax: BUNDLE_LIMITS.descriptionCharsMax });
const YAML = text('', { required: true, charsMax: BUNDLE_LIMITS.yamlCharsMax });
const YAML_FILE = text('', { default: '' });
const SECRETS = names('', { default: [] });

function readBundle(reader: BundleReader, value: unknown): Bundle | null {
  const { check } = reader;
  const keys = { keys: ['headgate_bundle', 'connectors', 'tasks', 'job_templates'] };
  const root = readMap(check, value, [], keys);
  if (root === null) return null;
  if (root.value('headgate_bundle') !== BUNDLE_FORMAT) {
    check.add(
      ['headgate_bundle'],
      `"headgate_bundle" must be ${BUNDLE_FORMAT}: the form that this version reads`,
    );
    return null;
  }
  const bundle = {
    connectors: reader.items(root, 'connectors', (path, item) => readConnector(reader, path, item)),
    tasks: reader.items(root, 'tasks', (path, item) => readDefinition(reader, path, item)),
    job_templates: reader.items(root, 'job_templates', (path, item) => readTemplate(reader, path, item)),
  };
  reader.finish();
  return bundle;
}

function readDefinition(reader: BundleReader, path: Path, item: unknown): BundleDefinition | null {
  const map = readMap(reader.check, item, path, { keys: ['name', 'description', 'yaml', 'yaml_file'] });
  return map === null ? null : reader.definition(map);
}

function readTemplate(reader: BundleReader, path: Path, item: unknown): BundleTemplate | null {
  const keys = ['name', 'description', 'yaml', 'yaml_file', 'dashboard_templates'];
  const map = readMap(reader.check, item, path, { keys });
  if (map === null) return null;
  const dashboards = reader.items(map, 'dashboard_templates', (at, entry) =>
    readDefinition(reader, at, entry),
  );
  return { ...reader.definition(map), dashboard_templates: dashboards };
}

function readConnector(reader: BundleReader, path: Path, item: unknown): BundleConnector | null {
  const keys = ['name', 'type', 'description', 'config', 'secrets'];
  const map = readMap(reader.check, item, path, { keys });
  if (map === null) return null;
  const name = reader.name(map);
  const type = TYPE.read(map, 'type');
  const config = map.value('config') ?? {};
  if (!isRecord(config)) map.wrong('config', '"config" must be a map');
  return {
    name,
    type,
    description: reader.description(map) ?? null,
    config: isRecord(config) ? config : {},
    secrets: SECRETS.read(map, 'secrets'),
  };
}

class BundleReader {
  readonly check: DocumentCheck;
  readonly #files: BundleFiles;
  readonly #used = new Set<string>();
  #count = 0;

  constructor(check: DocumentCheck, files: BundleFiles) {
    this.check = check;
    this.#files = files;
  }

  /** The items of a list, whose names all differ. */
  items<T extends { readonly name: string }>(
    map: MapReader,
    key: string,
    read: (path: Path, item: unknown) => T | null,
  ): T[] {
    const list = map.list(key, { max: BUNDLE_LIMITS.itemsMax }) ?? [];
    this.#count += list.length;
    const names = new Set<string>();
    return list.flatMap((entry, index) => {
      const path = map.at(key, index);
      this.#requireStorable(entry, path);
      const item = read(path, entry);
      if (item === null) return [];
      if (item.name !== '' && names.has(item.name))
        this.check.add([...path, 'name'], `"${item.name}" occurs twice; keep one`);
      names.add(item.name);
      return [item];
    });
  }

  definition(map: MapReader): BundleDefinition {
    const description = this.description(map);
    return {
      name: this.name(map),
      ...(description === undefined ? {} : { description }),
      yaml: map.has('yaml_file') ? this.#fileText(map) : YAML.read(map, 'yaml'),
    };
  }

  name(map: MapReader): string {
    const name = NAME.read(map, 'name');
    if (name !== name.trim()) map.wrong('name', 'A name must not start or end with spaces');
    // As the API has it: only the name of a connector may hold such characters.
    if (!map.map['type'] && /\p{Cc}/u.test(name))
      map.wrong('name', 'A name must not contain line breaks or other control characters');
    return name;
  }

  description(map: MapReader): string | null | undefined {
    if (!Object.hasOwn(map.map, 'description')) return undefined;
    return DESCRIPTION.read(map, 'description');
  }

  finish(): void {
    const { itemsMax } = BUNDLE_LIMITS;
    if (this.#count > itemsMax)
      this.check.add([], `The bundle has ${this.#count} items, more than the ${itemsMax} allowed; split it`);
    for (const path of this.#files.keys()) {
      if (!this.#used.has(path)) this.check.add([], `No definition names the file "${path}"; remove it`);
    }
  }

  #fileText(map: MapReader): string {
    map.atMostOne('yaml', 'yaml_file');
    const path = YAML_FILE.read(map, 'yaml_file');
    const text = this.#files.get(path);
    if (text === undefined) {
      map.wrong('yaml_file', `There is no file "${path}" in the bundle; only a zip has files`);
      return '';
    }
    if (this.#used.has(path)) map.wrong('yaml_file', `The file "${path}" is named twice`);
    this.#used.add(path);
    if (text.trim() === '' || text.length > BUNDLE_LIMITS.yamlCharsMax)
      map.wrong('yaml_file', `The file "${path}" must have 1 to ${BUNDLE_LIMITS.yamlCharsMax} characters`);
    if (!isStorable(text))
      map.wrong('yaml_file', `The file "${path}" contains characters that cannot be stored`);
    return text;
  }

  /** The document's depth bounds the recursion. */
  #requireStorable(value: unknown, path: Path): void {
    if (typeof value === 'string') {
      if (!isStorable(value)) this.check.add(path, 'The text contains characters that cannot be stored');
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#requireStorable(item, [...path, index]);
    } else if (isRecord(value)) {
      for (const [key, item] of Object.entries(value)) {
        if (!isStorable(key)) this.check.add(path, 'A key contains characters that cannot be stored');
        this.#requireStorable(item, [...path, key]);
      }
    }
  }
}

/** Neither NUL, which PostgreSQL does not take, nor halves of characters, which come back as something else. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
