import { z } from 'zod';
import { problemSchema } from '../../http/operation.ts';
import { queryFlag } from '../../http/query-flag.ts';
import { BUNDLE_LIMITS } from '../../language/bundle/bundle.ts';
import { TASK_YAML } from '../definitions/yaml-examples.ts';
import { CONFLICT_POLICIES, ITEM_ACTIONS, ITEM_KINDS } from './import/plan-item.ts';

const { bytesMax, itemsMax, nameCharsMax } = BUNDLE_LIMITS;
/** Base64 of a zip that does not even compress. */
const ZIP_BASE64_MAX = Math.ceil((bytesMax * 4) / 3) + 4;

const names = z.array(z.string().min(1).max(nameCharsMax)).max(itemsMax);
const picked = z.union([
  z.literal('*'),
  z.array(z.union([z.string().min(1).max(nameCharsMax), z.int().positive()])).max(itemsMax),
]);

export const exportBody = z.strictObject({
  tasks: picked.default([]).describe('Names or ids, or "*" for all that are not archived'),
  job_templates: picked
    .default([])
    .describe('Likewise; the tasks that a template names come with it, whether they are listed or not'),
  include_dashboard_templates: z
    .boolean()
    .default(true)
    .describe('The active dashboard templates of the job templates'),
  include_connectors: z
    .union([z.boolean(), picked])
    .default(false)
    .describe('Without secrets. true: those that active jobs of the templates bind; or names, ids, "*"'),
  format: z
    .enum(['yaml', 'zip'])
    .optional()
    .describe('Default: by `Accept`, and YAML where that names no zip'),
});

const conflict = z
  .enum(CONFLICT_POLICIES)
  .describe(
    'For what is here already and differs. `fail` (default): nothing is imported. `update`: a new version. `skip`: it is kept. `rename`: the bundle’s is created as `<name>-2`; not for a task that a template of the bundle names',
  );
const connectorMissing = z
  .enum(['stub', 'fail'])
  .describe(
    'For connectors of the bundle, and of types that its templates need, that are not here. `stub` (default): those of the bundle are made without secrets, which takes an admin. `fail`: nothing is imported',
  );
const planHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'is what a dry run gave as "plan_hash"')
  .describe('What a dry run gave; needed without `dry_run`');

export const importQuery = z.strictObject({
  dry_run: queryFlag.optional().describe('Says what an import would do, and does nothing'),
  conflict: conflict.optional(),
  connector_missing: connectorMissing.optional(),
  plan_hash: planHash.optional(),
});

export const importBody = z
  .strictObject({
    bundle: z.string().min(1).max(bytesMax).optional().describe('The YAML of a bundle'),
    bundle_zip: z.base64().min(1).max(ZIP_BASE64_MAX).optional().describe('Or its zip, in Base64'),
    conflict: conflict.optional(),
    connector_missing: connectorMissing.optional(),
    plan_hash: planHash.optional(),
    select: z
      .strictObject({
        connectors: names.optional(),
        tasks: names.optional(),
        job_templates: names.optional(),
      })
      .optional()
      .describe('Names of what is imported of the bundle; of a kind that is left out nothing is'),
  })
  .refine((body) => (body.bundle === undefined) !== (body.bundle_zip === undefined), {
    message: 'Give either "bundle" or "bundle_zip"',
    path: ['bundle'],
  })
  .meta({
    examples: [
      {
        bundle: `headgate_bundle: 1\ntasks:\n  - name: load_orders\n    yaml: |\n${TASK_YAML.replace(/^/gm, ' '.repeat(6)).trimEnd()}\n`,
        conflict: 'update',
        plan_hash: '5f1d9c04'.repeat(8),
      },
    ],
  });

const importItem = z
  .object({
    kind: z.enum(ITEM_KINDS),
    name: z.string(),
    job_template: z.string().nullable().describe('Of a dashboard template: the name of its job template'),
    action: z
      .enum(ITEM_ACTIONS)
      .describe('The last three keep the whole import from being applied; `problems` says why'),
    rename_to: z.string().nullable().describe('The name under which it is created, where its own is taken'),
    id: z.int().nullable().describe('Of what is here; null for what is created, until it is applied'),
    version: z.int().nullable().describe('Likewise; after an import that of the new version'),
    changes: z.array(z.enum(['yaml_content', 'description', 'config', 'type'])),
    diff: z
      .string()
      .describe('Unified, of the YAML or the configuration, from what is here; empty once applied'),
    problems: z.array(problemSchema).describe('With line and column of the definition’s own YAML'),
    warnings: z.array(problemSchema),
  })
  .meta({
    id: 'ImportItem',
    examples: [
      {
        kind: 'task',
        name: 'copy',
        job_template: null,
        action: 'update',
        rename_to: null,
        id: 3,
        version: 4,
        changes: ['yaml_content'],
        diff: '--- task copy, version 4\n+++ task copy of the bundle\n@@ -1,2 +1,2 @@\n version: 1\n-name: copie\n+name: copy\n',
        problems: [],
        warnings: [],
      },
    ],
  });

export const importAnswer = z
  .object({
    dry_run: z.boolean(),
    plan_hash: z.string(),
    applicable: z.boolean().describe('Nothing of the plan keeps it from being applied'),
    required_role: z.enum(['editor', 'admin']).describe('Who may apply it'),
    summary: z.object(
      Object.fromEntries(ITEM_ACTIONS.map((action) => [action, z.int()])) as Record<
        (typeof ITEM_ACTIONS)[number],
        z.ZodInt
      >,
    ),
    items: z.array(importItem).describe('In the order in which they are imported'),
  })
  .meta({ id: 'ImportAnswer' });
