import { readFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { variableNamed } from '../../config.ts';
import type { Drivers } from '../../drivers/registry.ts';
import { loadYaml } from '../../language/yaml/load-yaml.ts';
import { secretTextsIn } from '../../modules/connectors/connector-secrets.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';

export interface LocalConnector {
  readonly name: string;
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface LocalConnectors {
  readonly byName: Readonly<Record<string, LocalConnector>>;
  /** Everything secret in them, for the redactor of the run. */
  readonly secrets: readonly string[];
}

export interface ConnectorSources {
  /** A YAML or JSON file of `name: {type, config}`; null for none. */
  readonly file: string | null;
  /** `name=@file` or `name=type:text`; they win over the file's. */
  readonly given: readonly string[];
}

/**
 * The connectors of a local run, of those that its task declares. A text of a configuration may hold `${env:NAME}`. Throws `CommandError` where a source cannot be
 * read, is of another form, or names a variable that is not set.
 */
export function readConnectors(
  sources: ConnectorSources,
  declared: readonly string[],
  drivers: Drivers,
): LocalConnectors {
  const found = new Map<string, LocalConnector>();
  const entries = sources.file === null ? [] : Object.entries(recordIn(sources.file, readYaml(sources.file)));
  // Others of the file may need variables that only their tasks' runs have.
  for (const [name, value] of entries)
    if (declared.includes(name)) found.set(name, connectorOf(name, value, drivers));
  for (const text of sources.given) {
    const at = text.indexOf('=');
    if (at <= 0) throw wrong(`--connector "${text}" must have the form name=@file or name=type:text`);
    const [name, rest] = [text.slice(0, at), text.slice(at + 1)];
    if (!declared.includes(name))
      throw wrong(`The task declares no connector "${name}" (it has: ${declared.join(', ') || 'none'})`);
    const value = rest.startsWith('@') ? readYaml(rest.slice(1)) : shortForm(name, rest, drivers);
    found.set(name, connectorOf(name, value, drivers));
  }
  const secrets = [...found.values()].flatMap(({ type, config }) =>
    (drivers.get(type)?.secrets ?? []).flatMap((key) => secretTextsIn(config[key])),
  );
  return { byName: Object.fromEntries(found), secrets };
}

/** A file of one map, in YAML or JSON. */
export function readRecord(file: string): Readonly<Record<string, unknown>> {
  return recordIn(file, readYaml(file));
}

function recordIn(file: string, value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  throw wrong(`The file "${file}" must hold a map`);
}

function readYaml(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw wrong(`The file "${file}" cannot be read: ${messageOf(cause)}`);
  }
  const loaded = loadYaml(text);
  if (loaded.ok) return loaded.document.value;
  const [problem] = loaded.problems;
  throw wrong(`${file}:${problem?.line ?? 1}:${problem?.column ?? 1}: ${problem?.message ?? 'not YAML'}`);
}

/** `sqlite:out.db`: the text is the driver's `path` or `url`, whichever it takes; `{…}` is the whole configuration. */
function shortForm(name: string, text: string, drivers: Drivers): unknown {
  const at = text.indexOf(':');
  const [type, rest] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  const driver = drivers.get(type);
  if (driver === undefined) throw unknownType(name, type, drivers);
  if (rest.startsWith('{')) {
    const loaded = loadYaml(rest);
    if (!loaded.ok) throw wrong(`The configuration of the connector "${name}" cannot be read`);
    return { type, config: loaded.document.value };
  }
  const config = [rest === '' ? {} : null, { path: rest }, { url: rest }].find(
    (candidate) => candidate !== null && driver.config.safeParse(candidate).success,
  );
  if (config === undefined || config === null)
    throw wrong(`The connector "${name}" of the type "${type}" needs a file: --connector ${name}=@file.yaml`);
  return { type, config };
}

function connectorOf(name: string, value: unknown, drivers: Drivers): LocalConnector {
  const { type, config = {} } = isRecord(value) ? value : {};
  if (typeof type !== 'string' || !isRecord(config))
    throw wrong(`The connector "${name}" must be a map of "type" and "config"`);
  const driver = drivers.get(type);
  if (driver === undefined) throw unknownType(name, type, drivers);
  const filled = withVariables(config, name) as Readonly<Record<string, unknown>>;
  const checked = driver.config.safeParse(filled);
  if (!checked.success) {
    const told = checked.error.issues.map(
      (issue) => `\n  ${issue.path.join('.') || 'config'}: ${issue.message}`,
    );
    throw wrong(`The configuration of the connector "${name}" (${type}) is not valid:${told.join('')}`);
  }
  return { name, type, config: filled };
}

const VARIABLE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

function withVariables(value: unknown, connector: string): unknown {
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (_, name: string) => {
      const found = variableNamed(name);
      if (found === undefined)
        throw wrong(`The connector "${connector}" names the variable "${name}", which is not set`);
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((inner) => withVariables(inner, connector));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withVariables(inner, connector)]),
  );
}

function unknownType(name: string, type: string, drivers: Drivers): CommandError {
  const known = drivers.types().map((driver) => driver.type);
  return wrong(`The connector "${name}" has the type "${type}", which is none of: ${known.join(', ')}`);
}

function wrong(message: string): CommandError {
  return new CommandError(EXIT.config, message);
}
