import { isRecord } from '../../../../base/json.ts';
import { has } from '../../../declare/json-schema.ts';
import { map, readMapOf } from '../../../declare/map.ts';
import type { Rule } from '../../../declare/rules.ts';
import { special, type Value } from '../../../declare/value.ts';
import { text } from '../../../declare/values.ts';

export const CODE_CHARS_MAX = 50_000;
export const FILE_CHARS_MAX = 500;

/** A file of code, with what is in it. */
export interface ScriptFile {
  readonly name: string;
  readonly code: string;
}

const FILE_MAP = map('A file of code as the command line sends it.', {
  name: text('Its path.', { required: true, charsMax: FILE_CHARS_MAX }),
  code: text('What is in it.', { required: true, charsMax: CODE_CHARS_MAX }),
});

const WORDS =
  'Path of the file with the code, instead of `code`: relative to the YAML file, and inside its folder. `headgate run`, `test`, `validate`, `preview` and `apply` read it, and put `{name, code}` in its place; a server reads no files.';

/** `file`: the path alone is for the command line, which puts the code beside it before anybody reads the document. */
export const SCRIPT_FILE: Value<ScriptFile | null> = special(
  WORDS,
  (options) => ({
    anyOf: [{ type: 'string', minLength: 1, maxLength: FILE_CHARS_MAX }, FILE_MAP.schema(options)],
  }),
  (reader, key) => {
    const value = reader.value(key);
    if (value === null) return null;
    if (isRecord(value)) return readMapOf(reader.check, value, reader.at(key), FILE_MAP);
    if (typeof value !== 'string' || value === '')
      return reader.wrong(key, '"file" must be the path of a file');
    return reader.wrong(
      key,
      'Only the command line reads script files: send the task with "headgate apply" or "headgate preview --remote", or put the code into "code"',
    );
  },
);

/** The code stands in the document or in a file. */
export const ONE_CODE: Rule = {
  check: (reader) => {
    if (!reader.has('code') && !reader.has('file'))
      reader.wrong('code', '"code", or "file" with the code, is required');
    reader.atMostOne('code', 'file');
  },
  schemas: () => [{ anyOf: [has('code'), has('file')] }, { not: { allOf: [has('code'), has('file')] } }],
};
