/** What a load of a preview would have done. */
export interface WouldLoad {
  readonly rows: number;
  readonly object: string;
  readonly mode: string;
  readonly keys: readonly string[];
  /** Whether it deletes rows of the target that are not among those of the source. */
  readonly deletes: boolean;
  readonly isVerified: boolean;
}

/** Task definitions and their versions. */
export const tasks = {
  title: 'Tasks',
  new: 'New task',
  none: 'No tasks yet',
  noMatches: 'No tasks match these filters',
  active: 'Active',
  archived: 'Archived',
  connectors: 'Connectors',
  version: 'Version',
  viewsLabel: 'Views',
  views: { yaml: 'YAML', edit: 'Edit', versions: 'Versions', uses: 'Where used' },
  yamlOf: (name: string) => `YAML: ${name}`,
  verbHints: {
    archive: 'New jobs cannot use it. Jobs that pin it continue to run.',
    activate: 'New jobs can use it again.',
    remove: 'Its versions are deleted as well. A task that a job pins cannot be deleted, only archived.',
  },
  run: 'Run once',
  runTitle: (name: string) => `Run ${name} once?`,
  runHint: 'The saved version runs without a job, with these connectors and arguments.',
  argsHint: 'Arguments as a JSON object. Omitted ones have their defaults.',
  argsNotAnObject: 'The arguments must be a JSON object, such as {"since": "2026-01-01"}',
  packages: 'Packages of scripts',
  packagesHint:
    'Every version of the task keeps the exact packages that its scripts import. Pinning writes them into the text; then save it.',
  pin: 'Pin packages',
  pinNewer: 'Pin newest versions',
  pinning: 'Pinning…',
  pinnedNow: 'Pinned in the text, not yet saved',
  pinnedAlready: 'Already pinned',
  load: {
    title: 'Rows of earlier runs',
    mode: 'At the next run',
    modes: {
      merge: 'Update or add rows by key (merge)',
      upsert: 'Update or add rows by key (upsert)',
      replace: 'Replace all rows (replace)',
      append: 'Add all rows again (append)',
    },
    hints: {
      merge:
        'For a source that is read in full every time, and for one that gives only what changed. Rows that leave the source stay in the target.',
      upsert:
        'For a source that is read in full every time, and for one that gives only what changed. Rows that leave the source stay in the target.',
      replace:
        'For a source without a key that is read in full every time. Everything in the target table that the source does not give is deleted. If the source gives no rows, the old ones stay.',
      append:
        'For a source that gives each row once, such as events. A file that is read in full every night doubles its rows.',
    },
    key: 'Key columns',
    keyHint: (columns: readonly string[]) =>
      `Columns that together are different in every row, such as an order number; separate several by commas. Of rows with the same key, the last one stays.${
        columns.length > 0 ? ` The source has: ${columns.join(', ')}.` : ''
      }`,
  },
  preview: 'Preview',
  previewing: 'Running…',
  previewHint: 'Runs the text as typed, on at most 10 rows of each source. Nothing is written.',
  configOf: 'job_config of',
  noConfig: 'No job',
  noConfigHint: 'Choose a job to try its saved configuration. Without one, job_config is empty.',
  previewFailed: 'The preview did not finish',
  failedAt: (step: string) => `The step ${step} failed`,
  previewRows: (into: number, out: number, filtered: number, failed: number) =>
    [
      `${into} in`,
      `${out} out`,
      ...(filtered > 0 ? [`${filtered} filtered`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ].join(' · '),
  olderUses: (jobs: number) =>
    `${jobs === 1 ? '1 job still runs' : `${jobs} jobs still run`} an older version`,
  would: 'Would have done:',
  wouldLoad: ({ rows, object, mode, keys, deletes, isVerified }: WouldLoad) =>
    [
      `Would have written ${rows} ${rows === 1 ? 'row' : 'rows'} to ${object}: ${mode}`,
      ...(keys.length > 0 ? [`by ${keys.join(', ')}`] : []),
      ...(deletes ? ['and deleted the rows that are missing'] : []),
      ...(isVerified ? ['and then verified them in the target'] : []),
    ].join(' '),
  wouldVerify: (source: string, target: string) =>
    `Would have verified that ${target} has the rows of ${source}; a preview compares nothing`,
  expression: 'Expression at the cursor',
  expressionHint:
    'Place the cursor in an expression of a filter, set, map or when to see its value for a row.',
  noRowFor: (step: string) => `The preview has no row of ${step}.`,
  expressionRow: (step: string) => `Row of ${step}`,
  expressionAt: (column: number, message: string) => `Character ${column}: ${message}`,
  record: 'Record as an example',
  recordName: 'Name of the example',
  recordHint: 'Adds an entry for the task’s tests:, which headgate test runs.',
  noVersions: 'No versions',
  changes: 'Changes',
  noChanges: 'Same text as the previous version',
  templates: 'Job templates',
  noTemplate: 'Not used by any job template',
  nodes: 'Runs as',
  pinned: 'Pinned version',
  noJob: 'Not pinned by any job',
};
