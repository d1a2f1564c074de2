import type { components } from '../../../client/openapi-types.ts';
import type { Row } from '../../frame/records/row.ts';
import { editedRow } from './row-edit.ts';
import type { RowEdits } from './use-row-edits.ts';

export type ShownLetter = components['schemas']['ShownDeadLetter'];

/** A job, or a run of a task alone: what one request settles letters of. */
export type Owner = { readonly job: number } | { readonly run: number };

/** One request: letters by number, those with a corrected row apart; or all open ones of a reason. */
export type Settlement =
  | {
      readonly owner: Owner;
      readonly ids: readonly number[];
      readonly items: readonly { readonly id: number; readonly item: Row }[];
    }
  | { readonly owner: Owner; readonly code: string };

/** The requests that settle these letters. What cannot be read as a row is left out: `spoiltEdits` names it before. */
export function settlementsOf(letters: readonly ShownLetter[], edits: RowEdits): readonly Settlement[] {
  const owners = new Map<string, { owner: Owner; ids: number[]; items: { id: number; item: Row }[] }>();
  for (const letter of letters) {
    const { id, job_id, run_id } = letter;
    const owner = job_id === null ? { run: run_id } : { job: job_id };
    const key = JSON.stringify(owner);
    const settlement = owners.get(key) ?? { owner, ids: [], items: [] };
    owners.set(key, settlement);
    const edit = edits[id];
    const edited = edit === undefined ? null : editedRow(letter, edit);
    if (edited === null) settlement.ids.push(id);
    else if ('row' in edited) settlement.items.push({ id, item: edited.row });
  }
  return [...owners.values()];
}

/** The letters whose correction is no row yet. */
export function spoiltEdits(letters: readonly ShownLetter[], edits: RowEdits): readonly number[] {
  return letters.flatMap((letter) => {
    const edit = edits[letter.id];
    return edit !== undefined && 'problem' in editedRow(letter, edit) ? [letter.id] : [];
  });
}
