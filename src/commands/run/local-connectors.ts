import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { isRecord, mapTexts } from '../../base/json.ts';
import type { DriverFile } from '../../drivers/custom/driver-file.ts';
import type { Driver } from '../../drivers/driver.ts';
import { CONNECTOR_TYPES, isConnectorType, TYPES_OF_SCHEMES } from '../../drivers/driver-loaders.ts';
import { loadDriver } from '../../drivers/registry.ts';
import { loadYaml } from '../../language/yaml/load-yaml.ts';
import { secretTextsIn } from '../../modules/connectors/connector-secrets.ts';
import { replaceReferences, unknownKind } from '../../modules/connectors/outside-values.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';
import { unreadable } from '../kit/read-document.ts';
import { type ConnectorSources, variablesIn } from './connector-sources.ts';
import { localDrivers } from './local-drivers.ts';

export interface LocalConnector {
  readonly name: string;
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

interface CheckedConnector {
  readonly connector: LocalConnector;
  readonly driver: Driver;
}

export interface LocalConnectors {
  readonly byName: Readonly<Record<string, LocalConnector>>;
  /** Everything secret in them, for the redactor of the run. */
  readonly secrets: readonly string[];
  /** Drivers of one's own that they need. */
  readonly drivers: readonly DriverFile[];
  /** Those of the paths that `name=type:path` gives: whoever types a path allows it. */
  readonly folders: readonly string[];
}

/** The driver of a type, for the connector of this name. */
type DriverOf = (name: string, type: string) => Promise<Driver>;

/**
 * The connectors of a local run, of those that its task declares. A text of a configuration may hold `${env:NAME}` and `${file:/PATH}`.
 * Throws `CommandError` where a source cannot be read, is of another form, or names a variable that is not set.
 */
export async function readConnectors(
  sources: ConnectorSources,
  declared: readonly string[],
): Promise<LocalConnectors> {
  const found = new Map<string, CheckedConnector>();
  const { driverOf, files } = localDriverLoader(sources);
  const folders: string[] = [];
  const entries = sources.file === null ? [] : Object.entries(recordIn(sources.file, readYaml(sources.file)));
  const given = new Set(sources.given.map(nameOfGiven));
  // Others of the file may need variables that only their tasks' runs have.
  for (const [name, value] of entries) requireForm(name, value);
  for (const [name, value] of entries)
    if (declared.includes(name) && !given.has(name))
      found.set(name, await connectorOf(name, value, sources.variables, driverOf));
  for (const text of sources.given) {
    const name = nameOfGiven(text);
    const rest = text.slice(name.length + 1);
    if (!declared.includes(name))
      throw wrong(`The task declares no connector "${name}" (available: ${declared.join(', ') || 'none'})`);
    const value = rest.startsWith('@') ? readYaml(rest.slice(1)) : await shortForm(name, rest, driverOf);
    found.set(name, await connectorOf(name, value, sources.variables, driverOf));
    if (!rest.startsWith('@')) folders.push(...folderOf(value));
  }
  const all = [...found.values()];
  return {
    byName: Object.fromEntries(all.map(({ connector }) => [connector.name, connector])),
    secrets: all.flatMap(({ connector, driver }) =>
      driver.secrets.flatMap((key) => secretTextsIn(connector.config[key])),
    ),
    drivers: files(),
    folders,
  };
}

function nameOfGiven(text: string): string {
  const at = text.indexOf('=');
  if (at > 0) return text.slice(0, at);
  throw wrong(`--connector "${text}" must be written as name=@file or name=type:text`);
}

/** The types of connectors, each as often as it comes. */
export function typesOf(byName: LocalConnectors['byName']): readonly string[] {
  return Object.values(byName).map(({ type }) => type);
}

/** The folder that holds the file of a connector, or is it; none for a connector without one, or one in a folder that is not there. */
function folderOf(value: unknown): string[] {
  const config = isRecord(value) ? value['config'] : null;
  const path = isRecord(config) ? config['path'] : null;
  if (typeof path !== 'string') return [];
  const stats = statSync(path, { throwIfNoEntry: false });
  return [stats?.isDirectory() === true ? path : dirname(path)];
}

/** A file of one map, in YAML or JSON. */
export function readRecord(file: string): Readonly<Record<string, unknown>> {
  return recordIn(file, readYaml(file));
}

function recordIn(file: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw wrong(`The file "${file}" must contain a map`);
}

function readYaml(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw wrong(unreadable(`The file "${file}"`, cause));
  }
  const loaded = loadYaml(text);
  if (loaded.ok) return loaded.document.value;
  const [problem] = loaded.problems;
  throw wrong(`${file}:${problem?.line ?? 1}:${problem?.column ?? 1}: ${problem?.message ?? 'not YAML'}`);
}

/**
 * `sqlite:out.db`: the text is the driver's `path` or `url`, whichever it takes; `{…}` is the whole configuration. A URL of
 * a database says its type itself.
 */
async function shortForm(name: string, text: string, driverOf: DriverOf): Promise<unknown> {
  const scheme = /^([a-z+]+):\/\//.exec(text)?.[1] ?? '';
  const named = TYPES_OF_SCHEMES[scheme];
  if (named !== undefined) return { type: named, config: { url: text } };
  const at = text.indexOf(':');
  const [type, rest] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const driver = await driverOf(name, type);
  if (rest.startsWith('{')) {
    const loaded = loadYaml(rest);
    if (!loaded.ok) throw wrong(`The configuration of the connector "${name}" cannot be read`);
    return { type, config: loaded.document.value };
  }
  const config = [rest === '' ? {} : null, { path: rest }, { url: rest }].find(
    (candidate) => candidate !== null && driver.config.safeParse(candidate).success,
  );
  if (config === undefined || config === null)
    throw wrong(`The ${type} connector "${name}" needs a file: --connector ${name}=@file.yaml`);
  return { type, config };
}

async function connectorOf(
  name: string,
  value: unknown,
  variables: ConnectorSources['variables'],
  driverOf: DriverOf,
): Promise<CheckedConnector> {
  const { type, config } = requireForm(name, value);
  const driver = await driverOf(name, type);
  const filled = (await withVariables(config, name, variables)) as Readonly<Record<string, unknown>>;
  const checked = driver.config.safeParse(filled);
  if (!checked.success) {
    const told = checked.error.issues.map(
      (issue) => `\n  ${issue.path.join('.') || 'config'}: ${issue.message}`,
    );
    throw wrong(`The configuration of the connector "${name}" (${type}) is not valid:${told.join('')}`);
  }
  return { connector: { name, type, config: filled }, driver };
}

function requireForm(name: string, value: unknown): Pick<LocalConnector, 'type' | 'config'> {
  const { type, config = {} } = isRecord(value) ? value : {};
  if (typeof type === 'string' && isRecord(config)) return { type, config };
  throw wrong(`The connector "${name}" must be a map of "type" and "config"`);
}

async function withVariables(
  config: unknown,
  connector: string,
  given: ConnectorSources['variables'],
): Promise<unknown> {
  const variables = given ?? (await variablesIn(JSON.stringify(config)));
  const variable = (name: string) => {
    const found = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (found !== undefined) return found;
    throw wrong(`The connector "${connector}" uses the variable "${name}", which is not set`);
  };
  return mapTexts(config, connector, (text) =>
    replaceReferences(text, (kind, name, whole) => {
      if (kind === 'env') return variable(name);
      if (kind === 'file') return fileText(connector, whole, name);
      throw wrong(`The connector "${connector}" refers to ${unknownKind(kind)}`);
    }),
  );
}

/** As on a server, the path is absolute and a final line break is no part of the value; any file of the user's may be named. */
function fileText(connector: string, reference: string, path: string): string {
  if (!isAbsolute(path))
    throw wrong(
      `The connector "${connector}" refers to ${reference}, but the path of a file must be absolute`,
    );
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw wrong(unreadable(`The file "${path}" of the connector "${connector}"`, cause));
  }
}

/** `files`: those of one's own, which are sought once a type is none of this program. */
function localDriverLoader(sources: ConnectorSources) {
  let files: readonly DriverFile[] = [];
  let sought: Promise<readonly DriverFile[]> | null = null;
  const driverOf: DriverOf = async (name, type) => {
    if (!isConnectorType(type)) {
      sought ??= localDrivers(sources);
      files = await sought;
    }
    const driver = await loadDriver(type, files);
    if (driver !== undefined) return driver;
    const types = [...CONNECTOR_TYPES, ...files.map((file) => file.type)];
    throw wrong(
      `The connector "${name}" has the unknown type "${type}"; use one of: ${types.join(', ')}, or give a driver of your own with --driver`,
    );
  };
  return { driverOf, files: () => files };
}

function wrong(message: string): CommandError {
  return new CommandError(EXIT.config, message);
}
