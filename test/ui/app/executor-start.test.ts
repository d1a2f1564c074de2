import t from 'tap';
import { executorStart } from '../../../src/ui/screens/admin/executors/executor-start.ts';

t.test('a line that starts an executor leads to the server as it listens', async (t) => {
  const own = executorStart({ address: '10.0.0.7:41234', tls: false }, 'headgate.example.com');
  t.equal(
    own.line,
    'SVC_EXECUTOR_KEY=… headgate executor --server 10.0.0.7:41234 --slots 4 --name executor-2',
  );
  t.match(own.makeKey, /^export SVC_GRPC_PORT=41234$/m);
  for (const address of ['0.0.0.0:9090', ':::9090', '[::]:9090']) {
    const { line } = executorStart({ address, tls: true }, 'headgate.example.com');
    t.match(line, ' --server headgate.example.com:9090 --ca ca.pem --slots 4', address);
  }
});
