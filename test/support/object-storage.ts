import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { findProgram } from './find-program.ts';
import { sharedServerUrl } from './shared-server.ts';

export const S3_KEY = { id: 'key-id', secret: 'a-secret-access-key' } as const;

/** The S3 server that tests start: `VERSITYGW_PATH`, else on the PATH; null for none. */
export function findVersitygw(): string | null {
  return findProgram(process.env['VERSITYGW_PATH'], ['versitygw']);
}

/** Why tests of object storage are skipped, or false where they run. */
export function withoutS3(): false | string {
  if (findVersitygw() !== null) return false;
  return 'there is no S3 server: set VERSITYGW_PATH to what "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0" makes';
}

export async function answersAt(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

/** A new bucket of a real S3 server, as seen past the drivers. */
export interface TestBucket {
  readonly endpoint: string;
  readonly bucket: string;
  put(key: string, body: string | Buffer): Promise<void>;
  text(key: string): Promise<string | null>;
  keys(): Promise<readonly string[]>;
  /** Keys of uploads that are not completed. */
  uploads(): Promise<readonly string[]>;
  /** A connector's configuration for a path in it. */
  config(path: string): Record<string, unknown>;
}

export async function createBucket(): Promise<TestBucket> {
  const program = join(import.meta.dirname, 'versitygw-server.ts');
  const endpoint = await sharedServerUrl({ engine: 'versitygw', program, answers: answersAt });
  const bucket = `test-${randomBytes(8).toString('hex')}`;
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: S3_KEY.id, secretAccessKey: S3_KEY.secret },
  });
  const Bucket = bucket;
  await client.send(new CreateBucketCommand({ Bucket }));
  return {
    endpoint,
    bucket,
    put: async (Key, body) => {
      const Body = Buffer.from(body);
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length }));
    },
    text: async (Key) => {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return (await Body?.transformToString()) ?? '';
      } catch (error) {
        if ((error as Error).name === 'NoSuchKey') return null;
        throw error;
      }
    },
    keys: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map(({ Key = '' }) => Key);
    },
    uploads: async () => {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      return Uploads.map(({ Key = '' }) => Key);
    },
    config: (path) => ({
      path: `s3://${bucket}/${path}`,
      s3: { endpoint, access_key_id: S3_KEY.id },
      secret_access_key: S3_KEY.secret,
    }),
  };
}
