import { isRecord } from '../../base/json.ts';
import {
  eachFigure,
  RUN_END_STATUSES,
  SCHEMA_CHANGE_FOLLOW_UPS,
  STEP_FIGURES,
  type StepResult,
} from '../../base/run-report.ts';
import { count, fromJson, oneOf, recordFromJson, toJson } from './scalars.ts';
import { verificationOf } from './verification.ts';

/** `StepResult` of the protocol. */
export interface WireStep
  extends Omit<StepResult, 'status' | 'cursor' | 'schema_changes' | 'losses' | 'verification'> {
  readonly schema_changes_json: string;
  readonly losses_json: string;
  readonly verification_json: string;
  readonly status: string;
  readonly cursor_json: string;
}

/** The figures of these names, each a whole number from 0. `VALIDATION_ERROR` for anything else. */
export function countsOf<Name extends string>(
  names: readonly Name[],
  wire: Readonly<Record<Name, unknown>>,
  path = '',
): Record<Name, number> {
  return eachFigure(names, (name) => count(wire[name], `${path}${name}`));
}

/** `VALIDATION_ERROR` names the step by its place. */
export function toStep(wire: WireStep, index: number): StepResult {
  const path = `steps[${index}].`;
  return {
    step_id: wire.step_id,
    kind: wire.kind,
    status: oneOf(RUN_END_STATUSES, wire.status, `${path}status`),
    ...countsOf(STEP_FIGURES, wire, path),
    error: wire.error,
    cursor: spanOf(wire.cursor_json, `${path}cursor_json`),
    schema_changes: changesOf(wire.schema_changes_json, `${path}schema_changes_json`),
    ...lossesOf(wire.losses_json, `${path}losses_json`),
    ...verificationOf(fromJson(wire.verification_json, `${path}verification_json`)),
  };
}

function spanOf(json: string, path: string): StepResult['cursor'] {
  if (json === '') return null;
  const { from = null, to = null } = recordFromJson(json, path);
  return { from, to };
}

function changesOf(json: string, path: string): StepResult['schema_changes'] {
  const given = fromJson(json, path);
  if (!Array.isArray(given)) return [];
  return given.filter(isRecord).map(({ object, column, from, to, on_change }) => {
    const followUp = SCHEMA_CHANGE_FOLLOW_UPS.find((known) => known === on_change);
    return {
      object: String(object),
      column: String(column),
      from: typeof from === 'string' ? from : null,
      to: String(to),
      ...(followUp !== undefined && { on_change: followUp }),
    };
  });
}

function lossesOf(json: string, path: string): Pick<StepResult, 'losses'> {
  const given = fromJson(json, path);
  if (!Array.isArray(given)) return {};
  const losses = given.filter(isRecord).map(({ object, column, count: lost }) => ({
    object: String(object),
    column: typeof column === 'string' ? column : null,
    count: count(lost, path),
  }));
  return { losses };
}

export function fromStep({ cursor, schema_changes, losses, verification, ...step }: StepResult): object {
  return {
    ...step,
    cursor_json: toJson(cursor ?? undefined),
    schema_changes_json: toJson(schema_changes.length === 0 ? undefined : schema_changes),
    losses_json: toJson(losses),
    verification_json: toJson(verification),
  };
}
