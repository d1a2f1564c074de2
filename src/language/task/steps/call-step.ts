import { CONNECTOR_RETRY } from '../retry-policy.ts';
import { readCallArgs } from './call-args.ts';
import { readConnector, type StepReader } from './step-base.ts';

/** `call`: one call of a connector's method; its answer is the step's output. */
export const callStep: StepReader = {
  keys: { keys: ['connector', 'method', 'args'] },
  takesRows: false,
  givesRows: false,
  retry: CONNECTOR_RETRY,
  read: (reader, common, context) => ({
    ...common,
    kind: 'call',
    connector: readConnector(reader, context),
    method: reader.name('method', 'word', { required: true }) ?? '',
    args: readCallArgs(reader),
  }),
};
