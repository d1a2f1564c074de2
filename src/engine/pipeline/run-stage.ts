import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { ScriptStep } from '../../language/task/steps/script/script-step.ts';
import type { SqlStep } from '../../language/task/steps/sql/sql-step.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';
import type { RowForeach } from '../plan/group-steps.ts';
import type { Flow, Stage } from './flow.ts';

/** Runs a stage that is no load until all of its rows have passed. The code of a kind is loaded by the first step of it: few tasks have many. */
export async function runStage(stage: Stage, flow: Flow): Promise<void> {
  switch (stage.step.kind) {
    case 'extract':
      return extract(stage as Stage<ExtractStep>, flow);
    case 'sql':
      return (await import('../steps/sql.ts')).runSql(stage as Stage<SqlStep>, flow);
    case 'script':
      return (await import('../steps/script.ts')).runScript(stage as Stage<ScriptStep>, flow);
    case 'foreach':
      return (await import('../steps/control/foreach.ts')).runForeachStage(stage as Stage<RowForeach>, flow);
    case 'transform':
      return (await import('../steps/transform.ts')).runTransform(stage as Stage<TransformStep>, flow);
    case 'load':
      throw new Error('A load is run by the one that opened it');
    default:
      stage.step satisfies never;
  }
}

async function extract(stage: Stage<ExtractStep>, flow: Flow): Promise<void> {
  const { replay } = flow.run.input;
  if (replay !== undefined && replay !== null)
    return (await import('../steps/replay.ts')).replayExtract(stage, replay, flow);
  const { runExtract } = await import('../steps/extract.ts');
  await runExtract(stage, flow.cursor?.stepId === stage.step.id ? flow : { ...flow, cursor: null });
}
