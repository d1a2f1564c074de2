import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { nameTaken, recordChanges } from '../definitions/record-changes.ts';
import type { AiReferenceInput, AiReferenceRow } from './ai-reference.ts';
import {
  countAiReferences,
  deleteAiReference,
  insertAiReference,
  lockAiReference,
  selectAiReferencesNamed,
  updateAiReference,
} from './ai-reference-store.ts';

const REFERENCES_MAX = 500;
const NOUN = 'AI reference';

export interface AiReferencesDeps {
  readonly store: Store;
  readonly clock: Clock;
}

export type AiReferences = ReturnType<typeof createAiReferences>;

/** Reference texts for the model that writes tasks. `CONFLICT` for a name that is taken. */
export function createAiReferences({ store, clock }: AiReferencesDeps) {
  const audit = createAudit(clock);
  const { change } = recordChanges(store, NOUN, lockAiReference);

  async function create(input: AiReferenceInput, actor: Actor): Promise<AiReferenceRow> {
    return store.write(async (tx) => {
      if ((await countAiReferences(tx)) >= REFERENCES_MAX)
        throw new AppError('CONFLICT', `There are ${REFERENCES_MAX} references already: delete one first`);
      const row = await insertAiReference(tx, { input, by: actor.name, now: clock.now() });
      if (row === null) throw nameTaken(NOUN, input.name);
      await audit(tx, actor, 'ai_reference.create', row.id, shown(row));
      return row;
    });
  }

  /** Identical content makes no new version. */
  async function update(
    id: number,
    input: AiReferenceInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<AiReferenceRow> {
    return change(id, expected, async (tx, before) => {
      if (canonicalJson(inputOf(before)) === canonicalJson(input)) return before;
      const named = await selectAiReferencesNamed(tx, [input.name]);
      if (named.some((other) => other.id !== id)) throw nameTaken(NOUN, input.name);
      const row = await updateAiReference(tx, before, { input, by: actor.name, now: clock.now() });
      const changes = {
        version: [before.version, row.version],
        content_changed: before.content !== row.content,
      };
      await audit(tx, actor, 'ai_reference.update', id, { ...changes, ...shown(row) });
      return row;
    });
  }

  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await change(id, expected, async (tx, row) => {
      await deleteAiReference(tx, id);
      await audit(tx, actor, 'ai_reference.delete', id, shown(row));
    });
  }

  return { create, update, remove };
}

function inputOf(row: AiReferenceRow): AiReferenceInput {
  const { name, description, content } = row;
  return {
    name,
    description,
    content,
    tags: JSON.parse(row.tags_json) as string[],
    enabled: row.enabled === 1,
  };
}

/** For the audit log. */
function shown({ name, enabled }: AiReferenceRow) {
  return { name, enabled: enabled === 1 };
}
