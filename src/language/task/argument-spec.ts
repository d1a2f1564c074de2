import { type MapReader, readMap, typeName } from '../yaml/map-reader.ts';
import { ARGUMENT_TYPES, isArgumentOf } from './argument-type.ts';
import type { ArgumentSpec } from './task.ts';

/** Reads `args`: name to `{type, required (default false), default, description}`. */
export function readArguments(reader: MapReader): Readonly<Record<string, ArgumentSpec>> {
  const specs: Record<string, ArgumentSpec> = {};
  for (const [name, value] of reader.entries('args', 'word')) {
    const keys = { keys: ['type', 'required', 'default', 'description'] };
    const spec = readMap(reader.check, value, reader.at('args', name), keys);
    if (spec === null) continue;
    const type = spec.oneOf('type', ARGUMENT_TYPES, { required: true });
    const required = spec.flag('required');
    if (required) spec.idle('default', 'the argument is required');
    const fallback = spec.value('default');
    if (fallback !== null && type !== null && !isArgumentOf(type, fallback)) {
      spec.wrong('default', `"default" must be of type ${type}, not ${typeName(fallback)}`);
    }
    specs[name] = {
      type: type ?? 'string',
      required,
      default: fallback,
      description: spec.text('description'),
    };
  }
  return specs;
}
