import { AppError } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { profileOf } from '../language/dashboard/scope-profile.ts';
import { textOrNull } from '../language/dashboard/widgets/payload-input.ts';
import type { FormField } from '../language/template/form-field.ts';
import { settleFields } from '../language/template/settle-fields.ts';
import { typeName } from '../language/yaml/map-reader.ts';
import type { Answer, Input } from '../threads/messages/calls.ts';
import type { DashboardContext, PreparedRun } from '../threads/messages/widget-calls.ts';
import { findUsableWidget } from './find-widget.ts';
import { scopeFields } from './ready-call.ts';
import type { WidgetKit } from './widget-kit.ts';

/** The path of an action's values in a request. */
const INPUT_PATH = 'input';

/**
 * Checks the input of an action and evaluates what it runs, and does nothing else. In the public view an action without
 * `allow_public` is not found. Throws `ExpressionError`.
 */
export async function prepareAction(
  kit: WidgetKit,
  input: Input<'prepare_action'>,
): Promise<Answer<'prepare_action'>> {
  const { context, value } = input;
  const document = kit.documents.of(input);
  const widget = await findUsableWidget(kit, document, input, { ...context });
  if (widget.type !== 'action') {
    throw new AppError('VALIDATION_ERROR', `The widget "${widget.id}" is a ${widget.type}, not an action`);
  }
  const { run, success_message } = widget.config;
  if (!isRecord(run)) {
    throw new AppError('UNPROCESSABLE', `The action "${widget.id}" has no "run", so that it does nothing`);
  }
  const entered = value ?? {};
  if (!isRecord(entered)) {
    const message = `The input of an action must be a map, not ${typeName(entered)}`;
    return { ok: false, problems: [{ path: INPUT_PATH, message }] };
  }
  const fields = kit.actionFields(widget.config['input']);
  const values = { ...defaultsOf(fields, entered), ...entered };
  const settled = await settleFields(fields, values, (shown) => inputScope(context, shown), [INPUT_PATH]);
  if (settled.problems.length > 0) return { ok: false, problems: [...settled.problems] };
  const scope = { ...context, value: settled.value };
  const args = (await kit.templates.render(run['args'] ?? {}, scope)) ?? {};
  const message = await kit.templates.render(success_message ?? null, scope);
  const prepared = await preparedRun(run, args, (connector) =>
    scopeFields(kit, profileOf(document, widget), connector, input),
  );
  return { ok: true, run: prepared, value: settled.value, message: textOrNull(message) };
}

/** What the rules of an action's input read: each field by its bare key, the input as `value`, and what a dashboard reads. */
export function inputScope(
  context: DashboardContext,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return { ...values, ...context, value: values };
}

function defaultsOf(
  fields: readonly FormField[],
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const absent = fields.filter(
    (field) => !Object.hasOwn(input, field.key) && (field.default ?? null) !== null,
  );
  return Object.fromEntries(absent.map((field) => [field.key, field.default]));
}

async function preparedRun(
  run: Readonly<Record<string, unknown>>,
  args: unknown,
  fieldsOf: (connector: string) => Promise<Readonly<Record<string, unknown>>>,
): Promise<PreparedRun> {
  const { connector, method, task } = run;
  if (typeof connector === 'string') {
    return { kind: 'call', connector, method: String(method), args, fields: await fieldsOf(connector) };
  }
  const map = isRecord(args) ? args : {};
  return typeof task === 'string' ? { kind: 'task', task, args: map } : { kind: 'job', args: map };
}
