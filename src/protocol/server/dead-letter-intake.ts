import type { ServerReadableStream } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import type { ControlPlane } from '../control-plane.ts';
import { toDeadLetterBatch, type WireDeadLetterBatch } from '../wire/dead-letter-batch.ts';
import { decodeMessage, RPCS } from '../wire/definition/service-definition.ts';

/**
 * Stores the batches of one PutDeadLetters call one after another; the reply is the last batch's, or the first that was
 * refused. `VALIDATION_ERROR` for a call without a batch, `PAYLOAD_TOO_LARGE` beyond `batchesMax`.
 */
export async function storeDeadLetters(
  call: ServerReadableStream<Buffer, object>,
  controlPlane: Pick<ControlPlane, 'putDeadLetters'>,
  batchesMax: number,
): Promise<object> {
  let reply: Awaited<ReturnType<ControlPlane['putDeadLetters']>> | null = null;
  let batches = 0;
  for await (const bytes of call.iterator({ destroyOnReturn: false })) {
    batches += 1;
    if (batches > batchesMax) {
      throw new AppError('PAYLOAD_TOO_LARGE', `Send at most ${batchesMax} batches of dead letters in a call`);
    }
    const { requestDeserialize } = RPCS.PutDeadLetters;
    const wire = decodeMessage<WireDeadLetterBatch>('PutDeadLetters', requestDeserialize, bytes);
    reply = await controlPlane.putDeadLetters(toDeadLetterBatch(wire));
    if (reply.outcome !== 'ACCEPTED' && reply.outcome !== 'ALREADY_DONE') return reply;
  }
  if (reply === null) throw new AppError('VALIDATION_ERROR', 'Send at least one batch of dead letters');
  return reply;
}
