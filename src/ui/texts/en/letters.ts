const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`);

/** Dead letters: rows that steps refused. */
export const letters = {
  title: 'Dead letters',
  ofRun: (id: number) => `Run ${id}`,
  ofAll: 'All dead letters',
  reasons: 'Reasons',
  noReasons: 'No open rows',
  reason: 'Reason and position',
  rows: 'Rows',
  none: 'No open rows',
  noMatches: 'No rows match these filters',
  allStates: 'All',
  choose: (id: number) => `Choose row ${id}`,
  chooseAll: 'Choose all rows shown',
  chosen: (count: number, corrected: number) =>
    corrected === 0 ? `${rows(count)} chosen` : `${rows(count)} chosen, ${corrected} corrected`,
  spoilt: (count: number) =>
    count === 1 ? 'One correction is not complete.' : `${count} corrections are not complete.`,
  correct: 'Correct',
  correctCell: (column: string) => `Correct ${column}`,
  undo: 'Undo',
  asJson: 'As JSON',
  rowAsJson: (id: number) => `Row ${id} as JSON`,
  rawHint: 'The record as it was read:',
  noObject: 'A row must be a JSON object with a value for each column',
  failedAgain: 'failed again in a replay',
  replay: 'Replay',
  replayRows: (count: number) => `Replay ${rows(count)}`,
  replayAll: 'Replay all',
  discard: 'Discard',
  discardAll: 'Discard all',
  replayTitle: (count: number) => `Replay ${rows(count)}?`,
  replayHint:
    'Exactly these rows go to the step that refused them, and the steps after it run as usual. Nothing is read from the source again.',
  correctedRows: (corrected: number, given: number) =>
    given === 0
      ? `${rows(corrected)} as corrected.`
      : `${rows(corrected)} as corrected, ${given} as they were.`,
  snapshot: 'The version that refused them',
  snapshotHint: 'When the rows were wrong.',
  currentHint: 'When the task or configuration was wrong and is now corrected.',
  discardTitle: (count: number) => `Discard ${rows(count)}?`,
  discardHint: 'They count as settled and are never replayed. They can still be read.',
  replays: 'Replays',
  replaying: (count: number) => `Replaying ${rows(count)}`,
  replayFailed: 'The replay failed, and its rows are open again.',
  othersUnwritten:
    'The run itself failed: its other rows are not written until it is rerun, with the source corrected.',
  correctAgain: (count: number) => (count === 1 ? 'Correct that row' : `Correct those ${count} rows`),
  newestOf: (count: number) => `newest of ${count}`,
  replayEnded: (done: number, again: number) =>
    again === 0 ? `${rows(done)} replayed` : `${rows(done)} replayed, ${again} refused again`,
};
