import { readTemplate } from '../../yaml/expression-reader.ts';
import type { MapReader } from '../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { CONNECTOR_RETRY } from '../retry-policy.ts';
import type { CursorSpec } from '../task.ts';
import { readCallArgs } from './call-args.ts';
import { readConnector, type StepReader } from './step-base.ts';

/** `extract`: rows from a connector's method. */
export const extractStep: StepReader = {
  keys: { keys: ['connector', 'method', 'args', 'cursor', 'batch'], later: ['paginate'] },
  takesRows: false,
  givesRows: true,
  retry: CONNECTOR_RETRY,
  read: (reader, common, context) => ({
    ...common,
    kind: 'extract',
    connector: readConnector(reader, context),
    method: reader.name('method', 'word', { required: true }) ?? '',
    args: readCallArgs(reader),
    cursor: readCursor(reader),
  }),
};

const CURSOR_TYPES = ['string', 'integer', 'number', 'date', 'datetime'] as const;

function readCursor(reader: MapReader): CursorSpec | null {
  const cursor = reader.submap('cursor', {
    keys: ['field', 'type', 'initial', 'lookback'],
    later: ['end', 'window', 'order', 'on_missing', 'param'],
  });
  if (cursor === null) return null;
  const type = cursor.oneOf('type', CURSOR_TYPES, { required: true });
  if (type !== null && type !== 'date' && type !== 'datetime') {
    cursor.idle('lookback', `a cursor of type ${type} is no time`);
  }
  const initial = cursor.value('initial');
  return {
    field: cursor.text('field', { required: true }) ?? '',
    type: type ?? 'string',
    initial: initial === null ? null : readTemplate(reader.check, initial, cursor.at('initial'), TASK_NAMES),
    lookbackMs: cursor.duration('lookback') ?? 0,
  };
}
