import t from 'tap';
import { statePorts } from '../../src/app/outbound-ways.ts';

t.test('the port of the state database is one of the server’s own', async (t) => {
  const portsOf = (url: string) => statePorts({ state: { serverdb: { url, pool_max: 5 } } });
  t.same(statePorts({ state: { localdb: { path: 'state.db' } } }), []);
  t.same(portsOf('postgres://u:p@db.example.com/headgate'), [5432]);
  t.same(portsOf('postgresql://u:p@127.0.0.1:6543/headgate'), [6543]);
  t.same(portsOf('postgres:///headgate?host=/run/postgresql&port=7654'), [7654]);
});
