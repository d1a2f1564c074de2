/** The YAML editor. */
export const editor = {
  verbs: { archive: 'Archive', activate: 'Activate', remove: 'Delete' },
  verbTitles: {
    archive: (name: string) => `Archive ${name}?`,
    activate: (name: string) => `Activate ${name}?`,
    remove: (name: string) => `Delete ${name}?`,
  },
  keys: 'Tab leaves the editor. Ctrl-Space completes, Ctrl-] and Ctrl-[ indent, Ctrl-F finds, Ctrl-S saves, Shift-Alt-F formats.',
  draft: 'Not saved yet. Your draft is kept on this machine.',
  oldDraft: 'This draft is based on an older version. It is kept on this machine until you save it.',
  throwAway: 'Discard the draft',
  edit: 'Edit',
  name: 'Name',
  description: 'Description',
  nameHint: 'Enter a name to save it.',
  create: 'Create',
  save: 'Save',
  saved: 'Saved',
  problems: (count: number) =>
    count === 0 ? 'No problems' : count === 1 ? '1 problem' : `${count} problems`,
  problemList: 'Problems',
  at: (line: number, message: string) => `Line ${line}: ${message}`,
  conflict: 'Someone else has saved a newer version',
  conflictHint: (by: string, version: number) =>
    `Version ${version}${by === '' ? '' : ` by ${by}`} is newer than the one you started from. Below is what your text would change.`,
  conflictDiff: 'Theirs and yours',
  conflictLines: 'Lines with − are saved now, lines with + are yours.',
  keepMine: 'Keep mine and overwrite theirs',
  takeTheirs: 'Take theirs',
  format: 'Format',
  formatText: 'Format the text',
  formatKeys: 'Shift-Alt-F',
  notFormatted: 'Fix the problems first: a text with problems cannot be formatted.',
  unreachable: (names: string) =>
    `Tables and columns of these connectors are not completed, since they cannot be reached: ${names}`,
  completionConnectors: 'Complete tables and columns',
  completionConnectorsHint:
    'Choose saved connectors to complete the names of their tables and columns as you type.',
  /** Words inside the editor, CodeMirror's among them: they are known by what they are in English. */
  phrases: {} as Readonly<Record<string, string>>,
};
