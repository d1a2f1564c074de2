import { status } from '@grpc/grpc-js';
import { ERROR_CODES } from '../../../src/base/errors.ts';
import { HTTP_STATUS } from '../../../src/http/error-map.ts';
import { MEANINGS } from '../../../src/http/openapi/openapi-answers.ts';
import { GRPC_STATUS } from '../../../src/protocol/grpc-status.ts';
import { code, pageHead, sentence, table } from './markdown.ts';

const INTRO = `Every error of the REST API has the same body: \`error\` (a code of this table), \`message\` (for people: it quotes what was passed and says what to do), \`request_id\`, and \`details\` where several things are wrong, each with its \`path\` and, where the input is YAML, \`line\` and \`column\`. Executors get the same codes over gRPC, in \`ErrorInfo.reason\`.

A code keeps its meaning; messages may change. Where the same request can succeed later, the answer has \`Retry-After\`.`;

export function errorsPage(): string {
  const rows = ERROR_CODES.map((name) => {
    return [code(name), String(HTTP_STATUS[name]), code(status[GRPC_STATUS[name]]), sentence(MEANINGS[name])];
  });
  return (
    pageHead('Error codes', INTRO) +
    table(['code', 'HTTP', 'gRPC', 'meaning'], rows) +
    '\nIntrospection (`POST /api/connectors/{id}/introspect`) answers `CONNECTOR_ERROR` with HTTP 500. A request that does not arrive in time is answered with 408, one whose address and headers are too long with 431, before its own `X-Request-Id` is read: the request id is a new one.\n'
  );
}
