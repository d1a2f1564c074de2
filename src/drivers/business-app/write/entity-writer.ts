import { ConnectorError, type WriteRequest, type Writer } from '../../driver.ts';
import { CARRIED_ROWS, RequestWriter } from '../../http/write/request-writer.ts';
import type { OdataService } from '../odata-service.ts';
import { BatchSender } from './batch-sender.ts';
import { requestsOf } from './row-requests.ts';
import { SingleSender } from './single-sender.ts';

/** A load into an entity. `CONFIG` for a mode that an application cannot take, and for an entity that it does not have. */
export async function openEntityWriter(service: OdataService, request: WriteRequest): Promise<Writer> {
  const { object, key, signal } = request;
  const mode = CARRIED_ROWS[request.mode];
  if (mode === undefined)
    throw new ConnectorError(
      'CONFIG',
      `A business_app connector does not support loads with the mode ${request.mode}`,
    );
  const subject = await service.subject(object, signal);
  const requestOf = requestsOf(service, object, mode, key, subject);
  const { application, batch = application === 'business_central' } = service.config;
  const sender = batch
    ? new BatchSender(service, mode, requestOf, request)
    : new SingleSender(service, mode, requestOf, request);
  return new RequestWriter(request, sender);
}
