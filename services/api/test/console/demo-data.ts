import type { AttemptFields, Delivery } from '@postrider/shared/domain/delivery';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import type { ApiWorld } from '../api-world.js';
import { deliveryRow } from '../delivery-row.js';
import { demoAttempts } from './demo-attempts.js';

/** The endpoints of the demo data by what is to be seen of them. */
export interface DemoData {
  readonly healthy: string;
  readonly failing: string;
  readonly disabled: string;
  /** A delivery that is retried. */
  readonly retrying: string;
}

const HOUR_MS = 3_600_000;
const NEXT_ATTEMPT_MS = 23 * 60_000;
const DELIVERIES = 240;

/** Endpoints in several states with a day of deliveries, as a workspace in use has them. */
export async function insertDemoData(world: ApiWorld): Promise<DemoData> {
  const { request } = await world.as(['admin']);
  const create = async (url: string, description: string, eventTypes: readonly string[]) => {
    const { body } = await request<{ id: string }>('/webhooks', { body: { url, description, eventTypes } });
    return body.id;
  };
  const healthy = await create('https://hooks.northwind.example.com/postrider', 'Order pipeline', ['*']);
  const failing = await create('https://api.fabrikam.example.com/events', 'Billing sync', [
    'billing.plan_changed',
    'invoice.*',
  ]);
  const disabled = await create('https://legacy.contoso.example.com/in', 'Old CRM', [
    'workspace_member.added',
  ]);
  const { endpoints } = world.database.collections;
  await endpoints.updateOne(
    { _id: failing },
    { $set: { consecutiveFailures: 12, failingSince: new Date(Date.now() - HOUR_MS) } },
  );
  await request(`/webhooks/${disabled}`, { method: 'PATCH', body: { enabled: false } });
  await request('/invitations', { body: { email: 'grace@example.com', role: 'member' } });
  const retrying = await insertDeliveries(world, { healthy, failing });
  return { healthy, failing, disabled, retrying };
}

async function insertDeliveries(
  { database, workspace }: ApiWorld,
  { healthy, failing }: Pick<DemoData, 'healthy' | 'failing'>,
): Promise<string> {
  const rows = Array.from({ length: DELIVERIES }, (_, n) => {
    const createdAt = new Date(Date.now() - n * 97_000 - HOUR_MS);
    const isFailing = n % 3 === 1;
    const row = deliveryRow({
      workspaceId: workspace.id,
      endpointId: isFailing ? failing : healthy,
      status: n === 0 ? 'pending' : !isFailing ? 'delivered' : n < 30 ? 'failed' : 'dead_lettered',
      createdAt,
      payload: payloadOf(n, createdAt, workspace.id),
    });
    return withAttempts(row, demoAttempts(row, n));
  });
  await database.collections.deliveries.insertMany(
    rows.map(({ row, records }) => ({ ...toDeliveryDocument(row), records })),
  );
  const retrying = rows.find(({ row }) => row.status === 'failed');
  if (retrying === undefined) throw new Error('no delivery is retried');
  return retrying.row.id;
}

function payloadOf(n: number, createdAt: Date, workspaceId: string) {
  return {
    eventId: `evt_01m822hatbyhse9rgj9j${String(n).padStart(6, '0')}`,
    occurredAt: createdAt.toISOString(),
    workspaceId,
    previousPlan: 'free',
    plan: n % 2 === 0 ? 'team' : 'business',
  };
}

function withAttempts(row: Delivery, records: readonly Omit<AttemptFields, keyof Owner>[]) {
  const last = records.at(-1);
  if (last === undefined) return { row, records };
  const { ordinal, httpStatus, responseBody, attemptedAt, durationMs } = last;
  const failureReason = last.failureReason as never;
  const lastAttempt = { ordinal, httpStatus, failureReason, responseBody, attemptedAt, durationMs };
  const next = new Date(Date.now() + NEXT_ATTEMPT_MS);
  const due = row.status === 'failed' ? { nextAttemptAt: next, dueAt: next } : {};
  return { row: { ...row, ...due, attempts: records.length, lastAttempt } as Delivery, records };
}

type Owner = Pick<AttemptFields, 'deliveryId' | 'workspaceId' | 'endpointId'>;
