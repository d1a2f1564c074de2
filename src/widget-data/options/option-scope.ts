import { isRecord } from '../../base/json.ts';
import type { Scope } from '../../language/expression/expression.ts';
import type { OptionsInput } from '../../threads/messages/widget-calls.ts';

type Asked = Pick<OptionsInput, 'context' | 'entryKey' | 'value'>;

/** The draft, or what is saved where there is none. */
export function draftOf({ context, entryKey, value }: Asked): unknown {
  if (value !== null && value !== undefined) return value;
  const saved = recordOf(context.job_config);
  return Object.hasOwn(saved, entryKey) ? saved[entryKey] : null;
}

/**
 * What the expressions of an option source read: `value` is the draft, `job_config` has it in place of what is saved, and the
 * fields of a form stand by their bare keys as well.
 */
export function optionScope(asked: Asked): Scope {
  const { job, args, job_config } = asked.context;
  const draft = draftOf(asked);
  const entries = recordOf(job_config);
  return {
    ...recordOf(draft),
    job,
    args,
    value: draft,
    job_config: asked.entryKey === '' ? entries : { ...entries, [asked.entryKey]: draft },
  };
}

/** True where something that the source depends on, a field of the draft or another entry, is empty. */
export function lacksDependency(dependsOn: readonly string[], asked: Asked): boolean {
  const draft = recordOf(draftOf(asked));
  const entries = recordOf(asked.context.job_config);
  return dependsOn.some((name) => {
    const place = Object.hasOwn(draft, name) ? draft : entries;
    return isEmpty(Object.hasOwn(place, name) ? place[name] : null);
  });
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
