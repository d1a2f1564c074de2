/** What expressions of a task read in every place. */
export const TASK_NAMES = ['args', 'job_config', 'connectors', 'state', 'run', 'steps'] as const;

/** What they read where there is an item. */
export const ITEM_NAMES = [...TASK_NAMES, 'item', 'index'] as const;

/** What expressions of a job template's nodes read. */
export const NODE_NAMES = ['args', 'job_config', 'connectors', 'run'] as const;

/** What the key of a template's `concurrency` reads. */
export const JOB_KEY_NAMES = ['args', 'job_config'] as const;

/** What expressions of a dashboard read. */
export const DASHBOARD_NAMES = ['job', 'job_config', 'args', 'data', 'value', 'item', 'index'] as const;
