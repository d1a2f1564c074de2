import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { DriverSample, WrongConfig } from '../../../src/drivers/custom/interface.ts';
import type { Row, WriteMode } from '../../../src/drivers/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { createBucket, withoutS3 } from '../../support/object-storage.ts';
import { startSftpServer, withoutSftp } from '../../support/sftp-server.ts';
import { sheetRow, workbookFile } from '../excel/workbook-file.ts';
import { column, load } from '../sql/engines.ts';
import { familyConforms, freshFolder, LOOPBACK, type Peer, type Peers } from './conforms.ts';

const PEOPLE: readonly Row[] = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Bob' },
  { id: 3, name: null },
  { id: 4, name: 'Di' },
];

interface Form {
  readonly suffix: string;
  readonly bytes: (t: Test) => Promise<Buffer> | Buffer;
  readonly config?: Row;
  readonly modes: readonly WriteMode[];
  readonly refused?: Row;
  readonly except: NonNullable<Peer['except']>;
}

/** A file takes any row. */
const FITS = { errors: /no row that must be refused/ };

const FORMS = {
  csv: {
    suffix: '.csv',
    bytes: () => Buffer.from('id,name\n1,Ada\n2,Bob\n3,\n4,Di\n'),
    modes: ['append', 'replace'],
    except: FITS,
  },
  json: {
    suffix: '.ndjson',
    bytes: () => Buffer.from(PEOPLE.map((row) => `${JSON.stringify(row)}\n`).join('')),
    modes: ['append', 'replace'],
    except: FITS,
  },
  parquet: { suffix: '.parquet', bytes: parquetFile, modes: ['replace'], except: FITS },
  excel: {
    suffix: '.xlsx',
    bytes: () => {
      const rows = [
        ['id', 'name'],
        [1, 'Ada'],
        [2, 'Bob'],
        [4, 'Di'],
      ] as const;
      return workbookFile({ rows: rows.map((row, index) => sheetRow(index + 1, row)).join('') });
    },
    modes: [],
    except: {},
  },
  xml: {
    suffix: '.xml',
    bytes: () => Buffer.from('<all><p><id>1</id></p><p><id>2</id></p><p><id>3</id></p></all>'),
    config: { records: 'p' },
    modes: [],
    except: { cursor: /no column of numbers alone/ },
  },
} as const satisfies Readonly<Record<string, Form>>;

async function parquetFile(t: Test): Promise<Buffer> {
  const folder = freshFolder(t);
  const connection = await parquetDriver.connect({ path: folder }, { ...LOOPBACK, fileRoots: [folder] });
  const columns = [column('id', 'integer'), column('name', 'string')];
  const writer = await connection.openWriter(load({ mode: 'replace', object: 'people.parquet' }));
  await writer.write({ columns, rows: [...PEOPLE] });
  await writer.commit();
  await connection.close();
  return readFileSync(join(folder, 'people.parquet'));
}

const read = (file: string) => ({ method: 'read', args: { file } });

function sampleOf(
  { suffix, modes, config: form = {} }: Form,
  config: Row,
  wrong: readonly WrongConfig[],
): DriverSample {
  const copy = { object: `copy${suffix}`, read: read(`copy${suffix}`) };
  return {
    config: { ...config, ...form },
    read: read(`people${suffix}`),
    ...(modes.length === 0 ? {} : { write: copy }),
    wrong: wrong.map((one) => ({ ...one, config: { ...one.config, ...form } })),
  };
}

const folderOf = (form: Form): Peer => ({
  name: 'a folder',
  modes: form.modes,
  except: form.except,
  prepare: async (t) => {
    const folder = freshFolder(t);
    writeFileSync(join(folder, `people${form.suffix}`), await form.bytes(t));
    const wrong: readonly WrongConfig[] = [
      { config: { path: join(folder, 'none') }, fault: 'CONFIG', says: /"none"/ },
      { config: { path: '/elsewhere' }, fault: 'CONFIG', says: /elsewhere/ },
    ];
    return { sample: sampleOf(form, { path: folder }, wrong), context: { fileRoots: [folder] } };
  },
});

const objectStorageOf = (form: Form): Peer => ({
  name: 'object storage',
  skip: withoutS3(),
  modes: form.modes,
  except: form.except,
  prepare: async (t) => {
    const bucket = await createBucket();
    await bucket.put(`in/people${form.suffix}`, await form.bytes(t));
    const config = bucket.config('in/');
    const wrong: readonly WrongConfig[] = [
      { config: { ...config, path: 's3://no-such-bucket-here/in/' }, fault: 'CONFIG', says: /bucket/i },
      { config: { ...config, secret_access_key: 'an-0ther-secret-key' }, fault: 'AUTH', says: /key/ },
    ];
    return { sample: sampleOf(form, config, wrong) };
  },
});

const sftpOf = (form: Form): Peer => ({
  name: 'SFTP',
  skip: withoutSftp(),
  modes: form.modes,
  except: form.except,
  prepare: async (t) => {
    const server = await startSftpServer(t);
    writeFileSync(join(server.folder, `people${form.suffix}`), await form.bytes(t));
    const config = server.config('');
    const wrong: readonly WrongConfig[] = [
      {
        config: { ...config, sftp: { ...config.sftp, user: 'nobody-here' } },
        fault: 'AUTH',
        says: /user|key/,
      },
    ];
    return { sample: sampleOf(form, config, wrong) };
  },
});

const httpsOf = (form: Form): Peer => ({
  name: 'HTTPS',
  modes: [],
  except: form.modes.length === 0 ? form.except : {},
  prepare: async (t) => {
    const name = `people${form.suffix}`;
    const body = await form.bytes(t);
    const server = await startReceiver(t);
    server.answer = (response, { path, method, headers }) => {
      if (path !== `/d/${name}`) return void response.writeHead(404).end();
      const [, from = '0', to = String(body.length - 1)] =
        /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
      const part = body.subarray(Number(from), Number(to) + 1);
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`;
      const known = { etag: '"1"', 'content-length': part.length, 'content-range': range };
      response.writeHead(headers.range === undefined ? 200 : 206, known);
      response.end(method === 'HEAD' ? undefined : part);
    };
    const config = { path: `http://127.0.0.1:${server.port}/d/`, https: { files: [name] } };
    const absent = { path: `http://127.0.0.1:${server.port}/d/none${form.suffix}` };
    const wrong: readonly WrongConfig[] = [{ config: absent, fault: 'CONFIG', says: /"none\..*404/ }];
    return { sample: sampleOf({ ...form, modes: [] }, config, wrong) };
  },
});

/** Read as a stream, and in parts: the long list has the other forms in storages that are no folder. */
const IN_EVERY_STORAGE: readonly Form[] = [FORMS.csv, FORMS.parquet];
const peersOf = (form: Form): readonly Peer[] => [
  folderOf(form),
  ...[objectStorageOf(form), sftpOf(form), httpsOf(form)].map((peer) => ({
    ...peer,
    skip: peer.skip || (!IN_EVERY_STORAGE.includes(form) && ofFullList.skip),
  })),
];

const PEERS: Peers<'files'> = {
  csv: peersOf(FORMS.csv),
  json: peersOf(FORMS.json),
  parquet: peersOf(FORMS.parquet),
  excel: peersOf(FORMS.excel),
  xml: peersOf(FORMS.xml),
};

familyConforms(t, PEERS);
