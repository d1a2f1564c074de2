import type { Test } from 'tap';
import type { Role } from '../../../src/http/access.ts';
import { installIdempotency } from '../../../src/http/idempotency.ts';
import { registerConnectorRoutes } from '../../../src/modules/connectors/connector-routes.ts';
import { createConnectors } from '../../../src/modules/connectors/connector-service.ts';
import { registerExplorerPresetRoutes } from '../../../src/modules/explorer-presets/explorer-preset-routes.ts';
import { createExplorerPresets } from '../../../src/modules/explorer-presets/explorer-preset-service.ts';
import { insertUser } from '../../../src/modules/users/user-store.ts';
import { createIdempotencyStore } from '../../../src/store/idempotency-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { allDrivers } from '../../support/all-drivers.ts';
import { createTestApp, userOf } from '../../support/app.ts';

/** The routes over a store with one connector and one user of each role. */
export async function presetsApp(t: Test, store: Store) {
  const app = await createTestApp(t, (http, { clock, cipher }) => {
    installIdempotency(
      http as never,
      createIdempotencyStore(store, () => clock.now()),
    );
    const drivers = allDrivers;
    const connectors = createConnectors({ store, clock, cipher, drivers });
    registerConnectorRoutes(http, { store, connectors, catalogue: drivers.catalogue });
    registerExplorerPresetRoutes(http, { store, explorerPresets: createExplorerPresets({ store, clock }) });
  });
  const ids = {} as Record<Role, number>;
  for (const role of ['viewer', 'operator', 'editor', 'admin', 'superadmin'] as const) {
    const user = { email: `${role}@example.com`, name: role, role, passwordHash: 'x' };
    ids[role] = (await store.write((tx) => insertUser(tx, user, app.clock.now()))).id;
  }
  const of = (role: Role) => app.as(userOf(role, ids[role]));
  const keyOf = (role: Role, ...scopes: string[]) =>
    app.as({ type: 'api_key', id: 77, userId: ids[role], name: 'key', role, scopes });
  const connector = async (name: string) => {
    const config = { path: `/tmp/${name}.db` };
    return (await of('admin').post<{ id: number }>('/api/connectors', { name, type: 'sqlite', config })).body
      .id;
  };
  return { of, keyOf, ids, connector, anonymous: app.anonymous };
}
