import { checkFieldDependencies } from '../../template/check-depends-on.ts';
import { formFields } from '../../template/form-field.ts';
import { readTemplate } from '../../yaml/expression-reader.ts';
import { type MapReader, typeName } from '../../yaml/map-reader.ts';
import { CALL_NAMES, readConnectorCall } from '../widget-binding.ts';
import { aFlag, anInteger, aText, type KeyCheck, oneOf, type WidgetKind } from './widget-kind.ts';

const COOLDOWN_SECONDS_MAX = 86_400;
/** `value` is the checked input. */
const RUN_NAMES = [...CALL_NAMES, 'value'];

/** `run: {job: true}`, `{task: <key>}` or `{connector, method}`, each with `args`. */
const aRun: KeyCheck = (reader, key) => {
  const run = reader.submap(key, { keys: ['job', 'task', 'connector', 'method', 'args'] });
  if (run === null) return;
  run.atMostOne('job', 'task', 'connector');
  if (!['job', 'task', 'connector'].some((name) => run.has(name))) {
    reader.wrong(
      key,
      `"${key}" must name what runs: "job: true", a "task", or a "connector" with its "method"`,
    );
  }
  if (run.has('job') && run.value('job') !== true) run.wrong('job', '"job" must be true');
  if (run.has('connector')) {
    readConnectorCall(run, RUN_NAMES);
    return;
  }
  run.idle('method', 'there is no "connector" beside it');
  if (run.has('task')) run.name('task', 'key');
  checkArgs(run);
};

function checkArgs(run: MapReader): void {
  const args = run.value('args');
  if (args !== null && (typeof args !== 'object' || Array.isArray(args)) && !run.check.isPlaceholder(args)) {
    run.wrong('args', `"args" must be a map, not ${typeName(args)}`);
  }
  readTemplate(run.check, args, run.at('args'), RUN_NAMES);
}

/** A text with `{{ expression }}`s over what `run.args` reads. */
const aMessage: KeyCheck = (reader, key) => {
  const text = reader.text(key);
  if (text !== null) readTemplate(reader.check, text, reader.at(key), RUN_NAMES);
};

/** `confirm: true`, or the question itself. */
const aConfirmation: KeyCheck = (reader, key) => {
  if (typeof reader.value(key) !== 'boolean') reader.text(key);
};

const fields: KeyCheck = (reader, key) => {
  // Which entries the job will have is not known here, and an action is about its own fields.
  const list = formFields('').read(reader, key);
  if (list !== null) checkFieldDependencies(reader.check, reader.at(key), list, []);
};

/** A button that the server acts on, with the call fixed here. */
export const actionWidget: WidgetKind = {
  width: 3,
  bound: false,
  keys: {
    label: aText,
    style: oneOf('primary', 'secondary', 'danger'),
    run: aRun,
    input: fields,
    confirm: aConfirmation,
    allow_public: aFlag,
    success_message: aMessage,
    cooldown_seconds: anInteger(0, COOLDOWN_SECONDS_MAX),
  },
  publicKeys: {
    label: true,
    style: true,
    confirm: true,
    input: {
      key: true,
      label: true,
      type: true,
      required: true,
      default: true,
      format: true,
      depends_on: true,
      options: { label: true, value: true },
      options_source: { search: { on_frontend: true } },
    },
  },
};
