import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { runConformance } from '../../../src/drivers/custom/conformance/run-conformance.ts';
import type { DriverSample } from '../../../src/drivers/custom/interface.ts';
import type { ConnectContext, WriteMode } from '../../../src/drivers/driver.ts';
import { type ConnectorType, DRIVER_LOADERS } from '../../../src/drivers/driver-loaders.ts';

/** Every connector type of this build, by the test file that holds it against the suite. */
export const FAMILIES = {
  tables: ['sqlite', 'postgres', 'mysql'],
  documents: ['mongodb', 'dummy'],
  files: ['csv', 'json', 'parquet', 'excel', 'xml'],
  services: ['http', 'unified_api', 'business_app'],
  plugins: ['airbyte', 'singer', 'singer_target'],
} as const satisfies Readonly<Record<string, readonly ConnectorType[]>>;

/** A driver beside a peer of its own. */
export interface Peer {
  readonly name: string;
  /** Why it cannot run here; false where it can. */
  readonly skip?: false | string;
  /** The modes of load that it takes, where the driver has more of them elsewhere. */
  readonly modes?: readonly WriteMode[];
  /** Longest time of a check in milliseconds, where the suite's own is too short for it. */
  readonly checkMsMax?: number;
  /** Sets up what is read and written, until the test ends. */
  prepare(t: Test): Promise<{ readonly sample: DriverSample; readonly context?: Partial<ConnectContext> }>;
  /** What checks say that have nothing to look at, by the beginnings of their names; all others must pass. */
  readonly except?: Readonly<Record<string, RegExp>>;
}

/** The peers of each driver of a family. */
export type Peers<Family extends keyof typeof FAMILIES> = Readonly<
  Record<(typeof FAMILIES)[Family][number], readonly Peer[]>
>;

/** This machine may be reached. */
export const LOOPBACK: ConnectContext = {
  fileRoots: [],
  forbiddenFiles: [],
  connectTimeoutMs: 5_000,
  outbound: { policy: 'block-metadata', allow: ['127.0.0.0/8'], ownPorts: [] },
};

/** Outside of the folder of tests, which keeps changing while others run. */
export function freshFolder(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headgate-conformance-')));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Holds each driver of the family against the suite, once for each of its peers. */
export function familyConforms(
  t: Test,
  peers: Readonly<Partial<Record<ConnectorType, readonly Peer[]>>>,
): void {
  for (const [type, list] of Object.entries(peers))
    for (const { name, skip = false, modes, checkMsMax, prepare, except = {} } of list)
      t.test(`${type}: ${name}`, { skip }, async (t) => {
        const driver = await DRIVER_LOADERS[type as ConnectorType]();
        const write = modes ?? driver.capabilities.write;
        const { sample, context } = await prepare(t);
        const subject = {
          driver: { ...driver, capabilities: { ...driver.capabilities, write } },
          sample,
          context: { ...LOOPBACK, ...context },
        };
        const results = await runConformance(subject, checkMsMax === undefined ? {} : { checkMsMax });
        const told = results
          .filter(({ status }) => status !== 'passed')
          .map(({ name, message }) => [name, message]);
        const unexpected = told.filter(
          ([name = '', message = '']) =>
            !Object.entries(except).some(([check, says]) => name.startsWith(check) && says.test(message)),
        );
        t.strictSame(unexpected, []);
        for (const check of Object.keys(except))
          t.ok(
            told.some(([name]) => name?.startsWith(check)),
            `${check} is an exception`,
          );
      });
}
