/** Tasks that run one another, the first one included. In a file of its own: the control plane needs it, and not the parser. */
export const RUN_TASK_DEPTH_MAX = 5;
