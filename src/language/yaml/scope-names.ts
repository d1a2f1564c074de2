/** What expressions of a task read in every place. */
export const TASK_NAMES = ['args', 'job_config', 'connectors', 'state', 'run', 'steps'] as const;

/** What they read where there is an item. */
export const ITEM_NAMES = [...TASK_NAMES, 'item', 'index'] as const;

/** What expressions of a job template's nodes read. */
export const NODE_NAMES = ['args', 'job_config', 'connectors', 'run'] as const;

/** What the arguments of a node read whose task runs for each item of a list. */
export const NODE_ITEM_NAMES = [...NODE_NAMES, 'item', 'index'] as const;

/** What the key of a template's `concurrency` reads. */
export const JOB_KEY_NAMES = ['args', 'job_config'] as const;

/** What expressions of a dashboard read that nobody who looks at it may choose: scopes, and what an action runs. */
export const DASHBOARD_NAMES = ['job', 'job_config', 'args'] as const;

/** What they read where somebody looks at it, and has chosen values of its filters. */
export const VIEW_NAMES = [...DASHBOARD_NAMES, 'filter'] as const;

/** What they read of a widget's data. */
export const DATA_NAMES = [...VIEW_NAMES, 'data'] as const;

/** What they read where a value was worked out before. */
export const VALUE_NAMES = [...DATA_NAMES, 'value'] as const;

/** What they read for each item of a list. */
export const DATA_ITEM_NAMES = [...DATA_NAMES, 'item', 'index'] as const;
