import { strToU8, Unzip, type UnzipFile, UnzipInflate, zipSync } from 'fflate';
import type { Problem } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import type { Parsed } from '../yaml/document-check.ts';
import { BUNDLE_LIMITS, type Bundle, type BundleDefinition } from './bundle.ts';
import { parseBundle } from './parse-bundle.ts';
import { byName, writeBundle } from './write-bundle.ts';

/** The document of a zip; every other file holds the text of one definition. */
const MANIFEST = 'bundle.yaml';
/** Files and folders, a folder for each dashboard. */
const ENTRIES_MAX = 3 * BUNDLE_LIMITS.itemsMax;
/** Compressed bytes that are decompressed at once: a thousandfold of them fits into memory. */
const PIECE_BYTES = 4_096;
const PART = '[a-z0-9][a-z0-9-]{0,79}';
const FILE_PATH = new RegExp(`^(?:${PART}/){0,3}${PART}\\.yaml$`);
const FOLDER_PATH = new RegExp(`^(?:${PART}/){1,3}$`);
const SLUG_CHARS_MAX = 40;
/** Names that Windows keeps for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The bundle as a zip: `bundle.yaml`, and a file for the text of each definition. The same bytes for the same definitions: the time of
 * each file is the first that a zip can tell, in whatever time zone.
 */
export function writeBundleZip(bundle: Bundle): Uint8Array {
  const files = new Map<string, string>();
  const paths = new Map<BundleDefinition, string>();
  const place = (folder: string, definition: BundleDefinition): string => {
    const path = freePath(`${folder}/${fileName(definition.name)}`, files);
    files.set(`${path}.yaml`, definition.yaml);
    paths.set(definition, `${path}.yaml`);
    return path;
  };
  for (const task of byName(bundle.tasks)) place('tasks', task);
  for (const template of byName(bundle.job_templates)) {
    const folder = place('job-templates', template).replace('job-templates/', 'dashboard-templates/');
    for (const dashboard of byName(template.dashboard_templates)) place(folder, dashboard);
  }
  const manifest = writeBundle(bundle, (definition) => paths.get(definition) ?? null);
  const entries = [[MANIFEST, manifest] as const, ...files].map(([path, text]) => [path, strToU8(text)]);
  return zipSync(Object.fromEntries(entries), { level: 6, mtime: new Date(1980, 0, 1) });
}

/** Lower-case letters, digits and hyphens; what that leaves out tells a hash of the name. */
function fileName(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS_MAX)
    .replace(/^-|-$/g, '');
  if (slug === name && !DEVICE.test(slug)) return slug;
  return `${slug === '' ? '' : `${slug}-`}${sha256(name).slice(0, 10)}`;
}

function freePath(wanted: string, taken: ReadonlyMap<string, string>): string {
  let path = wanted;
  for (let count = 2; taken.has(`${path}.yaml`); count += 1) path = `${wanted}-${count}`;
  return path;
}

/**
 * Reads a zip, all of it in memory: no path in it is one of any disk, or is used for anything but to find the text that
 * `bundle.yaml` names. Stops at the first byte beyond the limits, whatever the zip says of its sizes.
 */
export function parseBundleZip(bytes: Uint8Array): Parsed<Bundle> {
  try {
    const files = unzip(bytes);
    const manifest = files.get(MANIFEST);
    if (manifest === undefined) throw new ZipProblem(`The zip has no file "${MANIFEST}"`);
    files.delete(MANIFEST);
    return parseBundle(manifest, files);
  } catch (error) {
    const message =
      error instanceof ZipProblem
        ? error.message
        : 'The body is not a readable zip: damaged, truncated or encrypted';
    const problem: Problem = { path: '', message };
    return { ok: false, problems: [problem] };
  }
}

class ZipProblem extends Error {}

function unzip(bytes: Uint8Array): Map<string, string> {
  const files = new Map<string, string>();
  const open = new Set<string>();
  let entries = 0;
  let bytesLeft: number = BUNDLE_LIMITS.bytesMax;
  const read = (file: UnzipFile) => {
    entries += 1;
    if (entries > ENTRIES_MAX) throw new ZipProblem(`The zip has more than ${ENTRIES_MAX} entries`);
    const { name } = file;
    if (FOLDER_PATH.test(name)) return;
    if (!FILE_PATH.test(name)) throw new ZipProblem(pathRefused(name));
    if (open.has(name) || files.has(name)) throw new ZipProblem(`The zip has the file "${name}" twice`);
    open.add(name);
    const parts: Uint8Array[] = [];
    file.ondata = (error, part, final) => {
      if (error !== null) throw error;
      bytesLeft -= part.length;
      if (bytesLeft < 0)
        throw new ZipProblem(`The zip holds more than ${BUNDLE_LIMITS.bytesMax} bytes; split the bundle`);
      parts.push(part);
      if (!final) return;
      open.delete(name);
      files.set(name, textOf(name, parts));
    };
    file.start();
  };
  const stream = new Unzip(read);
  stream.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const end = Math.min(bytes.length, at + PIECE_BYTES);
    stream.push(bytes.subarray(at, end), end === bytes.length);
  }
  if (open.size > 0) throw new ZipProblem('The zip is truncated');
  return files;
}

function pathRefused(name: string): string {
  const shown = JSON.stringify(name.slice(0, 100));
  return `The zip holds ${shown}; its files are "${MANIFEST}" and others whose paths are lower-case letters, digits and hyphens, and end in ".yaml"`;
}

function textOf(name: string, parts: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ZipProblem(`The file "${name}" is not UTF-8 text`);
  }
}
