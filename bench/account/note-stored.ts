import type { Collections } from '@postrider/shared/mongo/collections';
import type { Records } from './delivery-record.js';

/** Notes what is stored of the deliveries. @returns how many rows and attempts belong to no delivery that is owed */
export async function noteStored(
  records: Records,
  { deliveries, attempts, endpoints }: Pick<Collections, 'deliveries' | 'attempts' | 'endpoints'>,
): Promise<number> {
  let strangers = 0;
  for await (const { _id, status, attempts } of deliveries.find(
    {},
    { projection: { status: 1, attempts: 1 } },
  )) {
    const record = records.get(_id);
    if (record === undefined) strangers += 1;
    else Object.assign(record, { status, attempts });
  }
  for await (const { _id } of attempts.find({}, { projection: { _id: 1 }, hint: { _id: 1 } })) {
    const record = records.get(_id.slice(0, _id.indexOf(':')));
    if (record === undefined) strangers += 1;
    else record.attemptRows += 1;
  }
  const disabled = new Set(await endpoints.distinct('_id', { enabled: false }));
  for (const record of records.values()) record.endpointDisabled = disabled.has(record.endpointId);
  return strangers;
}
