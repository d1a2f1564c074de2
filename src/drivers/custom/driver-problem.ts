import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import { LOAD_MODES } from '../../language/task/steps/load/load-step.ts';
import { INTROSPECTION_METHODS } from '../introspection-methods.ts';

const schema = z.custom<z.ZodType>(
  (value) => value instanceof z.ZodType,
  'must be a schema made with the "z" of the kit',
);
const code = z.custom((value) => typeof value === 'function', 'must be a function');

const method = z.looseObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be lower-case letters, digits and "_"'),
  summary: z.string().min(1),
  kind: z.enum(['rows', 'value', 'write']),
  args: schema,
});

const driver = z.looseObject({
  type: z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, 'must be up to 50 lower-case letters, digits and "_"'),
  title: z.string().min(1),
  capabilities: z.looseObject({ write: z.array(z.enum(LOAD_MODES)), introspect: z.boolean() }),
  config: schema,
  secrets: z.array(z.string()),
  hostKeys: z.array(z.string()),
  methods: z.array(method),
  connect: code,
});

/** What is wrong with what a module made, as the rest of a sentence; null where it has the form of a driver. */
export function driverProblem(made: unknown): string | null {
  const parsed = driver.safeParse(made);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.path.join('.') ?? '';
    return `${at === '' ? 'makes no driver' : `has a wrong "${at}"`}: ${issue?.message}`;
  }
  const { config, secrets, hostKeys, methods } = parsed.data;
  const names = methods.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `has two methods "${twice}"`;
  const own = names.find((name) => INTROSPECTION_METHODS.includes(name));
  if (own !== undefined) return `has a method "${own}", which every connector gets: give it another name`;
  const { properties } = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any' });
  if (!isRecord(properties)) return 'has a wrong "config": it must be an object of known keys';
  const unknown = [...secrets, ...hostKeys].find((key) => !Object.hasOwn(properties, key));
  return unknown === undefined ? null : `names the key "${unknown}", which its "config" does not have`;
}
