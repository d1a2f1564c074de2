import { isRecord } from '../../../../base/json.ts';
import { loadEntry } from '../../../../base/program-files.ts';
import { map } from '../../../declare/map.ts';
import { special, type Value } from '../../../declare/value.ts';
import { mapOp } from './op-value.ts';
import type { compileRowSchema, RowCheck } from './row-schema-compiler.ts';

const NO_CHECK: RowCheck = () => null;

/** `schema`: read to what checks rows against it. */
const ROW_SCHEMA: Value<RowCheck> = special(
  'A JSON Schema, draft 2020-12, or draft-07 if its `$schema` says so. `$ref` can only refer to parts of the schema itself.',
  { type: 'object' },
  (reader, key) => {
    const schema = reader.typed(key, 'a map', isRecord, true);
    if (schema === null) return NO_CHECK;
    const compiled = compiler()(schema);
    if ('check' in compiled) return compiled.check;
    reader.check.add(
      reader.at(key, ...compiled.path),
      `"${key}" is not a valid JSON Schema: ${compiled.problem}`,
    );
    return NO_CHECK;
  },
  { required: true },
);

/** `validate`: rows that do not fit a JSON Schema fail. */
export const VALIDATE = mapOp(
  map(
    'Validates each row against a JSON Schema; rows that do not match fail and are handled by `on_error`.',
    {
      schema: ROW_SCHEMA,
    },
  ),
);

/** Loaded for the first schema: most tasks have none, and it takes some 50 ms. */
function compiler(): typeof compileRowSchema {
  const entry = loadEntry('src/language/task/steps/ops/row-schema-compiler');
  return (entry as { compileRowSchema: typeof compileRowSchema }).compileRowSchema;
}
