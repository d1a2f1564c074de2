import { createDiffBudget } from '../../../base/text/diff-budget.ts';
import { entryLines } from '../../../language/bundle/yaml-text.ts';
import { toStub } from '../connector-stub.ts';
import type { PlanItem } from './plan-item.ts';

/** The change of an item by an import, or the change it would make if it were not kept. */
export type ItemChange = 'yaml_content' | 'description' | 'config' | 'type';

export interface ItemDiff {
  readonly changes: readonly ItemChange[];
  /** From the existing one to the bundle's, of the YAML or the configuration; empty if they are the same. */
  readonly diff: string;
}

const NOTHING = '/dev/null';

/** The diffs of a plan, in its order. */
export async function diffsOf(items: readonly PlanItem[]): Promise<ItemDiff[]> {
  const budget = createDiffBudget('import');
  const diffs: ItemDiff[] = [];
  for (const item of items) {
    if (item.action === 'unchanged') {
      diffs.push({ changes: [], diff: '' });
      continue;
    }
    const [before, after] = sidesOf(item);
    const label = `${item.kind} ${item.name}`;
    const from = before === null ? NOTHING : `${label}, version ${item.existing?.version ?? 0}`;
    const diff = await budget.of(before?.text ?? '', after.text, { from, to: `${label} of the bundle` });
    diffs.push({ changes: changesOf(item, before, after), diff });
  }
  return diffs;
}

interface Side {
  readonly text: string;
  readonly description: string | null | undefined;
  readonly type?: string;
}

/** The existing definition and the bundle's. A renamed item is compared with the one that has its name. */
function sidesOf(item: PlanItem): [Side | null, Side] {
  if (item.kind === 'connector') {
    const { existing, connector } = item;
    return [existing === null ? null : stubSide(toStub(existing)), stubSide(connector)];
  }
  const { existing, definition } = item;
  const before =
    existing === null ? null : { text: existing.yaml_content, description: existing.description };
  return [before, { text: definition.yaml, description: definition.description }];
}

function stubSide({ config, description, type }: ReturnType<typeof toStub>): Side {
  return { text: `${entryLines('config', config, '').join('\n')}\n`, description, type };
}

function changesOf(item: PlanItem, before: Side | null, after: Side): ItemChange[] {
  if (before === null) return [];
  const changes: ItemChange[] = [];
  if (before.text !== after.text) changes.push(item.kind === 'connector' ? 'config' : 'yaml_content');
  if (after.description !== undefined && before.description !== after.description)
    changes.push('description');
  if (before.type !== after.type) changes.push('type');
  return changes;
}
