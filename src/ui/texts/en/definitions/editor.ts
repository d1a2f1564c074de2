/** The editor of YAML. */
export const editor = {
  verbs: { archive: 'Archive', activate: 'Activate', remove: 'Delete' },
  verbTitles: {
    archive: (name: string) => `Archive ${name}?`,
    activate: (name: string) => `Activate ${name}?`,
    remove: (name: string) => `Delete ${name}?`,
  },
  keys: 'Tab leaves the editor. Ctrl-Space completes, Ctrl-] and Ctrl-[ indent, Ctrl-F finds, Ctrl-S saves, Shift-Alt-F formats.',
  draft: 'Not saved yet. What you type stays on this machine.',
  oldDraft: 'This draft was started from an older version. It stays on this machine until it is saved.',
  throwAway: 'Throw the draft away',
  edit: 'Edit',
  name: 'Name',
  description: 'Description',
  nameHint: 'It is saved once it has a name.',
  create: 'Create',
  save: 'Save',
  saved: 'Saved',
  problems: (count: number) =>
    count === 0 ? 'No problems' : count === 1 ? '1 problem' : `${count} problems`,
  problemList: 'Problems',
  at: (line: number, message: string) => `Line ${line}: ${message}`,
  conflict: 'Somebody else has saved since',
  conflictHint: (by: string, version: number) =>
    `Version ${version}${by === '' ? '' : ` by ${by}`} is newer than the one you started from. Below is what your text would change.`,
  conflictDiff: 'Theirs and yours',
  keepMine: 'Keep mine, and save it over theirs',
  takeTheirs: 'Take theirs',
  format: 'Format',
  formatText: 'Format the text',
  formatKeys: 'Shift-Alt-F',
  notFormatted: 'It has problems that must be mended before it can be formatted.',
  unreachable: (names: string) =>
    `Tables and columns of these connectors are not completed, since they cannot be reached: ${names}`,
  completionConnectors: 'Complete tables and columns',
  completionConnectorsHint:
    'Choose saved connectors; the names of their tables and columns are then offered as you type.',
  /** Words inside the editor, CodeMirror's among them: they are known by what they are in English. */
  phrases: {} as Readonly<Record<string, string>>,
};
