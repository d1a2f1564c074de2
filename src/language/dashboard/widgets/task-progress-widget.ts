import { aName, type WidgetKind } from './widget-kind.ts';

/** The latest run of one task of the job: `task_key`, or the task with the widget's id. */
export const taskProgressWidget: WidgetKind = {
  width: 6,
  bound: false,
  keys: { task_key: aName },
  publicKeys: {},
};
