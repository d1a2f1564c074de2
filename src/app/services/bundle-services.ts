import { createExports } from '../../modules/export-import/export-service.ts';
import { createImports } from '../../modules/export-import/import/import-service.ts';
import type { DefinitionServices } from './definition-services.ts';
import type { ServicesDeps } from './services.ts';

type Definitions = Pick<
  DefinitionServices,
  | 'parseTask'
  | 'parseTemplate'
  | 'parseDashboard'
  | 'connectors'
  | 'tasks'
  | 'jobTemplates'
  | 'dashboardTemplates'
>;

/** Definitions out of this server and into it, as bundles that the worker host reads and writes. */
export function createBundleServices(
  { store, clock, pool }: Pick<ServicesDeps, 'store' | 'clock' | 'pool'>,
  definitions: Definitions,
) {
  return {
    exports: createExports({
      store,
      clock,
      writeBundle: (bundle, format) => pool.run({ kind: 'write_bundle', input: { bundle, format } }),
    }),
    imports: createImports({
      ...definitions,
      store,
      clock,
      parseBundle: (input) => pool.run({ kind: 'parse_bundle', input }),
    }),
  };
}
