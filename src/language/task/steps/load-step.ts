import type { Template } from '../../expression/template-string.ts';
import { readTemplate } from '../../yaml/expression-reader.ts';
import type { MapReader } from '../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { CONNECTOR_RETRY } from '../retry-policy.ts';
import { readConnector, type StepReader } from './step-base.ts';

const MODES = ['append', 'replace', 'upsert', 'merge'] as const;
const MODES_LATER = ['truncate_insert', 'insert_only', 'scd2', 'delete'];

/** `load`: rows into an object (a table, a file, a collection) of a connector. */
export const loadStep: StepReader = {
  keys: {
    keys: ['input', 'connector', 'object', 'mode', 'key', 'allow_empty', 'batch'],
    later: ['delete_missing', 'schema', 'audit'],
  },
  takesRows: true,
  givesRows: false,
  retry: CONNECTOR_RETRY,
  read: (reader, common, context) => {
    const modeGiven = reader.has('mode');
    const mode = reader.oneOf('mode', MODES, { later: MODES_LATER }) ?? (modeGiven ? null : 'append');
    return {
      ...common,
      kind: 'load',
      input: common.input ?? '',
      connector: readConnector(reader, context),
      object: readText(reader, 'object'),
      mode: mode ?? 'append',
      key: readLoadKey(reader, mode),
      allowEmpty: readAllowEmpty(reader, mode),
    };
  },
};

/** `mode` is null where it is wrong: then nothing is said about the keys beside it. */
function readLoadKey(reader: MapReader, mode: (typeof MODES)[number] | null): readonly string[] {
  const keyed = mode === 'merge' || mode === 'upsert';
  if (mode !== null && !keyed)
    reader.idle('key', `"mode" is ${mode}; use merge or upsert to match rows by key`);
  const key = reader.names('key') ?? [];
  const missing = !reader.has('key') || (Array.isArray(reader.value('key')) && key.length === 0);
  if (keyed && missing) reader.wrong('key', `"key" is required: "mode" is ${mode}`);
  return key;
}

function readAllowEmpty(reader: MapReader, mode: (typeof MODES)[number] | null): boolean {
  if (mode !== null && mode !== 'replace')
    reader.idle('allow_empty', `"mode" is ${mode}, which never empties`);
  return reader.flag('allow_empty');
}

function readText(reader: MapReader, key: string): Template {
  const text = reader.text(key, { required: true }) ?? '';
  return readTemplate(reader.check, text, reader.at(key), TASK_NAMES);
}
