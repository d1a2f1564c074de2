import { ConnectorError, type WriteRequest, type Writer } from '../../driver.ts';
import { RequestWriter } from '../../http/write/request-writer.ts';
import type { OdataService } from '../odata-service.ts';
import { BatchSender } from './batch-sender.ts';
import { type CarriedMode, requestsOf } from './row-requests.ts';
import { SingleSender } from './single-sender.ts';

const MODES: Readonly<Partial<Record<WriteRequest['mode'], CarriedMode>>> = {
  append: 'append',
  upsert: 'upsert',
  merge: 'upsert',
  delete: 'delete',
};

/** A load into an entity. `CONFIG` for a mode that an application cannot take, and for an entity that it does not have. */
export async function openEntityWriter(service: OdataService, request: WriteRequest): Promise<Writer> {
  const { object, key, signal } = request;
  const mode = MODES[request.mode];
  if (mode === undefined)
    throw new ConnectorError(
      'CONFIG',
      `A business_app connector takes no loads with the mode ${request.mode}`,
    );
  const subject = await service.subject(object, signal);
  const requestOf = requestsOf(service, object, mode, key, subject);
  const { application, batch = application === 'business_central' } = service.config;
  const sender = batch
    ? new BatchSender(service, mode, requestOf, request)
    : new SingleSender(service, mode, requestOf, request);
  return new RequestWriter(request, sender);
}
