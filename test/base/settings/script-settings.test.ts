import { resolve } from 'node:path';
import t from 'tap';
import { stepAccessOf } from '../../../src/app/own-files.ts';
import { configOf, problemsOf } from '../../support/loaded-config.ts';

t.test('what scripts may use is named by the settings, and nothing is open without them', async (t) => {
  const none = { read: [], write: [], network: [] };
  t.match(stepAccessOf(configOf({})).scripts, { python: null, uv: null, packages: {}, grants: none });
  const given = {
    SVC_SCRIPT_UV: '/bin/uv',
    SVC_SCRIPT_PACKAGES: 'geo=/opt/geo, money=npm/money',
    SVC_SCRIPT_READ: '/srv/lists',
    SVC_SCRIPT_WRITE: 'out',
    SVC_SCRIPT_NETWORK: 'API.example.com, localhost:8080',
  };
  t.same(stepAccessOf(configOf(given)).scripts, {
    python: null,
    memoryMb: 256,
    uv: { program: '/bin/uv', folder: resolve('environments') },
    packages: { geo: '/opt/geo', money: resolve('npm/money') },
    grants: {
      read: ['/srv/lists'],
      write: [resolve('out')],
      network: ['api.example.com', 'localhost:8080'],
    },
  });
  t.match(problemsOf({ SVC_SCRIPT_PACKAGES: 'geo' }), [/SVC_SCRIPT_PACKAGES.*name=folder/]);
  t.match(problemsOf({ SVC_SCRIPT_PACKAGES: 'a=/x,a=/y' }), [/SVC_SCRIPT_PACKAGES.*twice/]);
  t.match(problemsOf({ SVC_SCRIPT_NETWORK: 'https://x' }), [/SVC_SCRIPT_NETWORK.*hosts such as/]);
});
