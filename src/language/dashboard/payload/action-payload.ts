import type { Scope } from '../../expression/expression.ts';
import type { FormField } from '../../template/form-field.ts';
import { type FormFieldView, fieldViews } from './form-payload.ts';
import type { InputState } from './input-payload.ts';

/** The latest use of an action. */
export interface LastAction {
  readonly acted_at: string;
  readonly outcome: 'started' | 'done' | 'failed';
  /** RFC 3339, or null where it may act again. */
  readonly cooldown_until: string | null;
  readonly job_run_id: number | null;
  /** The status of that job run now. */
  readonly status: string | null;
}

export interface ActionPayload {
  readonly enabled: boolean;
  readonly reason: string | null;
  readonly last_run: {
    readonly at: string;
    readonly outcome: LastAction['outcome'];
    readonly status: string | null;
    /** Left out in the public view. */
    readonly job_run_id?: number | null;
  } | null;
  readonly cooldown_until: string | null;
  /** What it asks for, as the fields of a form. */
  readonly fields: readonly FormFieldView[];
}

export interface ActionInput extends InputState {
  readonly last: LastAction | null;
  readonly fields: readonly FormField[];
  /** What `hide_if_expr` of the fields reads before anything is filled in. */
  readonly scope: Scope;
}

const COOLING_DOWN = 'It was used a short while ago; wait until it can be used again';

/** Whether an action may act now, and what became of its latest use. */
export async function actionPayload(input: ActionInput): Promise<ActionPayload> {
  const { last, refusal, publicView } = input;
  const cooldown_until = last?.cooldown_until ?? null;
  const reason = refusal ?? (cooldown_until === null ? null : COOLING_DOWN);
  return {
    enabled: reason === null,
    reason,
    last_run:
      last === null
        ? null
        : {
            at: last.acted_at,
            outcome: last.outcome,
            status: last.status,
            ...(publicView ? {} : { job_run_id: last.job_run_id }),
          },
    cooldown_until,
    fields: await fieldViews(input.fields, input.scope),
  };
}
