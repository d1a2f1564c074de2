import { z } from 'zod';
import { problemSchema } from '../../http/operation.ts';
import { queryFlag } from '../../http/query-flag.ts';
import { BUNDLE_LIMITS } from '../../language/bundle/bundle.ts';
import { TASK_YAML } from '../definitions/yaml-examples.ts';
import { CONFLICT_POLICIES, ITEM_ACTIONS, ITEM_KINDS } from './import/plan-item.ts';

const { bytesMax, itemsMax, nameCharsMax } = BUNDLE_LIMITS;
/** Base64 of an incompressible zip. */
const ZIP_BASE64_MAX = Math.ceil((bytesMax * 4) / 3) + 4;

const names = z.array(z.string().min(1).max(nameCharsMax)).max(itemsMax);
const picked = z.union([
  z.literal('*'),
  z.array(z.union([z.string().min(1).max(nameCharsMax), z.int().positive()])).max(itemsMax),
]);

export const exportBody = z.strictObject({
  tasks: picked.default([]).describe('Names or ids, or "*" for all active ones'),
  job_templates: picked.default([]).describe('Likewise; the tasks that a template names are always included'),
  include_dashboard_templates: z
    .boolean()
    .default(true)
    .describe('Include the active dashboard templates of the job templates'),
  include_connectors: z
    .union([z.boolean(), picked])
    .default(false)
    .describe('Without secrets. true: those bound by active jobs of the templates; or names, ids, "*"'),
  format: z.enum(['yaml', 'zip']).optional().describe('Default: by `Accept`, else YAML'),
});

const conflict = z
  .enum(CONFLICT_POLICIES)
  .describe(
    'What happens to an existing definition that differs. `fail` (default): nothing is imported. `update`: a new version. `skip`: it is kept. `rename`: the bundle’s is created as `<name>-2`; not for a task that a template of the bundle names',
  );
const connectorMissing = z
  .enum(['stub', 'fail'])
  .describe(
    'What happens to missing connectors of the bundle, or of types that its templates need. `stub` (default): those of the bundle are created without secrets, which requires an admin. `fail`: nothing is imported',
  );
const planHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the "plan_hash" of a dry run')
  .describe('From a dry run; required without `dry_run`');

export const importQuery = z.strictObject({
  dry_run: queryFlag.optional().describe('Only create the plan'),
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
      .describe('The names to import from the bundle; nothing of an omitted kind'),
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
    job_template: z.string().nullable().describe('The job template of a dashboard template'),
    action: z.enum(ITEM_ACTIONS).describe('The last three block the whole import; `problems` says why'),
    rename_to: z.string().nullable().describe('The name under which it is created, if its own is taken'),
    id: z.int().nullable().describe('Of the existing definition; null for a new one, until it is applied'),
    version: z.int().nullable().describe('Likewise; after the import, the new version'),
    changes: z.array(z.enum(['yaml_content', 'description', 'config', 'type'])),
    diff: z
      .string()
      .describe('A unified diff of the YAML or the configuration, from the existing one; empty once applied'),
    problems: z.array(problemSchema).describe('With line and column in the definition’s own YAML'),
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
    applicable: z.boolean().describe('Whether the plan can be applied'),
    required_role: z.enum(['editor', 'admin']).describe('The role required to apply it'),
    summary: z.object(
      Object.fromEntries(ITEM_ACTIONS.map((action) => [action, z.int()])) as Record<
        (typeof ITEM_ACTIONS)[number],
        z.ZodInt
      >,
    ),
    items: z.array(importItem).describe('In the order of the import'),
  })
  .meta({ id: 'ImportAnswer' });
