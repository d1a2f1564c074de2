import t from 'tap';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { createAudit } from '../../../src/modules/audit/audit-service.ts';
import { eachStore } from '../../support/stores.ts';

t.test('the audit row of a change', async (t) => {
  await eachStore(
    t,
    'names the type and the one that was changed, and stays only with the change',
    async (t, store) => {
      const audit = createAudit({ now: () => 7 });
      await store.write(async (tx) => {
        await audit(tx, systemActor, 'metrics_config.update', 3, {
          name: ['a', 'b'],
          key: 'k',
          password: 'p',
        });
        await audit(tx, systemActor, 'branding.update', null);
      });
      const undone = store.write(async (tx) => {
        await audit(tx, systemActor, 'task.delete', 4);
        throw new Error('undone');
      });
      await t.rejects(undone, { message: 'undone' });
      const columns = ['at', 'action', 'resource_type', 'resource_id', 'diff_json'] as const;
      t.same(await store.read.selectFrom('audit_logs').select(columns).orderBy('id').execute(), [
        {
          at: 7,
          action: 'metrics_config.update',
          resource_type: 'metrics_config',
          resource_id: '3',
          diff_json: '{"name":["a","b"],"key":"k","password":"********"}',
        },
        { at: 7, action: 'branding.update', resource_type: 'branding', resource_id: null, diff_json: null },
      ]);
    },
  );
});
