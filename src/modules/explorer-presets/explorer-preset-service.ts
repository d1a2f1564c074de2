import type { Clock } from '../../base/clock.ts';
import { AppError, requireFound, validationError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { type Role, roleAtLeast } from '../../http/access.ts';
import { type ExpectedVersions, requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { lockConnector } from '../connectors/connector-store.ts';
import { type ExplorerPresetInput, type ExplorerPresetRow, toPresetInfo } from './explorer-preset.ts';
import {
  countPrivatePresets,
  deletePreset,
  insertPreset,
  lockPreset,
  selectPresetNamed,
  updatePreset,
} from './explorer-preset-store.ts';

const PRIVATE_PRESETS_MAX = 500;

/** The owner of the presets; for an API key, the user who created it. */
export interface PresetUser {
  readonly id: number;
  readonly role: Role;
}

export interface ExplorerPresetsDeps {
  readonly store: Store;
  readonly clock: Clock;
}

export type ExplorerPresets = ReturnType<typeof createExplorerPresets>;

/**
 * Saved views of a connector's resources. Editors write team presets; private ones are visible and writable only for their
 * owner. `VALIDATION_ERROR` for an unknown connector, `CONFLICT` for a name that is taken among the team's presets of a
 * connector, or among one's own.
 */
export function createExplorerPresets({ store, clock }: ExplorerPresetsDeps) {
  const audit = createAudit(clock);

  async function create(
    input: ExplorerPresetInput,
    user: PresetUser,
    actor: Actor,
  ): Promise<ExplorerPresetRow> {
    if (input.visibility === 'team') requireEditor(user);
    return store.write(async (tx) => {
      await holdConnector(tx, input.connector_id);
      await requireFreeName(tx, input, user, null);
      await requireRoom(tx, input, user);
      const write = { input, ownerId: ownerOf(input, user), by: actor.name, now: clock.now() };
      const row = await insertPreset(tx, write);
      await audit(tx, actor, 'explorer_preset.create', row.id, shown(row));
      return row;
    });
  }

  /** A team preset made private belongs to the user who did so. Identical content makes no new version. */
  async function update(
    id: number,
    input: ExplorerPresetInput,
    expected: ExpectedVersions,
    user: PresetUser,
    actor: Actor,
  ): Promise<ExplorerPresetRow> {
    return store.write(async (tx) => {
      // The connector first, in the order in which the deletion of a connector takes the locks.
      const connector = await lockConnector(tx, store.dialect, input.connector_id);
      const before = await lockedPreset(tx, id, user);
      if (input.visibility === 'team') requireEditor(user);
      requireVersion(expected, before.version);
      if (connector === null) throw noConnector(input.connector_id);
      if (sameContent(before, input)) return before;
      await requireFreeName(tx, input, user, id);
      if (before.visibility === 'team') await requireRoom(tx, input, user);
      const write = { input, ownerId: ownerOf(input, user), by: actor.name, now: clock.now() };
      const row = await updatePreset(tx, before, write);
      const diff = { version: [before.version, row.version], ...shown(row) };
      await audit(tx, actor, 'explorer_preset.update', id, diff);
      return row;
    });
  }

  async function remove(
    id: number,
    expected: ExpectedVersions,
    user: PresetUser,
    actor: Actor,
  ): Promise<void> {
    await store.write(async (tx) => {
      const row = await lockedPreset(tx, id, user);
      requireVersion(expected, row.version);
      await deletePreset(tx, id);
      await audit(tx, actor, 'explorer_preset.delete', id, shown(row));
    });
  }

  /** The preset that the user may change. `NOT_FOUND` where they may not even see it. */
  async function lockedPreset(tx: Tx, id: number, user: PresetUser): Promise<ExplorerPresetRow> {
    const row = requireFound(await lockPreset(tx, store.dialect, id, user.id), 'explorer preset', id);
    if (row.visibility === 'team') requireEditor(user);
    return row;
  }

  /** Locked, so that it stays and two presets of one name are created one after the other. */
  async function holdConnector(tx: Tx, id: number): Promise<void> {
    if ((await lockConnector(tx, store.dialect, id)) === null) throw noConnector(id);
  }

  return { create, update, remove };
}

async function requireFreeName(
  tx: Tx,
  input: ExplorerPresetInput,
  user: PresetUser,
  ownId: number | null,
): Promise<void> {
  const key = { connectorId: input.connector_id, name: input.name, ownerId: ownerOf(input, user) };
  const other = await selectPresetNamed(tx, key);
  if (other === null || other.id === ownId) return;
  const whose = input.visibility === 'team' ? 'The team has' : 'You have';
  throw new AppError('CONFLICT', `${whose} an explorer preset "${input.name}" of this connector already`);
}

async function requireRoom(tx: Tx, input: ExplorerPresetInput, user: PresetUser): Promise<void> {
  if (input.visibility === 'team' || (await countPrivatePresets(tx, user.id)) < PRIVATE_PRESETS_MAX) return;
  throw new AppError(
    'CONFLICT',
    `You have ${PRIVATE_PRESETS_MAX} private presets, the maximum: delete one first`,
  );
}

function requireEditor({ role }: PresetUser): void {
  if (roleAtLeast(role, 'editor')) return;
  throw new AppError('FORBIDDEN', `A team preset needs the role "editor"; yours is "${role}"`);
}

function ownerOf(input: ExplorerPresetInput, user: PresetUser): number | null {
  return input.visibility === 'private' ? user.id : null;
}

function sameContent(row: ExplorerPresetRow, input: ExplorerPresetInput): boolean {
  const { description, visibility } = row;
  return canonicalJson({ ...toPresetInfo(row), description, visibility }) === canonicalJson(input);
}

function noConnector(id: number): AppError {
  return validationError([{ path: 'connector_id', message: `There is no connector "${id}"` }]);
}

/** The name of a private preset stays private: the audit log has only its id. */
function shown({ visibility, name }: ExplorerPresetRow) {
  return visibility === 'team' ? { visibility, name } : { visibility };
}
