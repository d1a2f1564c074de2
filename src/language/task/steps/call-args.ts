import { isRecord } from '../../../base/json.ts';
import type { Template } from '../../expression/template-string.ts';
import { readTemplate } from '../../yaml/expression-reader.ts';
import { type MapReader, typeName } from '../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';

/** `args` of a connector call: a map, or one `{{ expression }}` that gives a map; absent is an empty map. */
export function readCallArgs(reader: MapReader): Template {
  const args = reader.value('args') ?? {};
  const expression = typeof args === 'string' && /^\s*\{\{.*\}\}\s*$/s.test(args);
  if (!isRecord(args) && !expression) {
    reader.wrong('args', `"args" must be a map or one "{{ expression }}", not ${typeName(args)}`);
  }
  return readTemplate(reader.check, args, reader.at('args'), TASK_NAMES);
}
