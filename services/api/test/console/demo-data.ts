import type { AttemptFields, Delivery } from '@postrider/shared/domain/delivery';
import type { RecordDocument } from '@postrider/shared/mongo/collections';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import type { ApiWorld } from '../api-world.js';
import { deliveryRow } from '../delivery-row.js';
import { demoAttempts } from './demo-attempts.js';
import { insertDemoCounts } from './demo-counts.js';
import { insertDemoPeople } from './demo-people.js';
import { type DemoReceiver, type PlannedDelivery, planDemo } from './demo-plan.js';

/** The endpoints of the demo data by what is to be seen of them. */
export interface DemoData extends Readonly<Record<DemoReceiver, string>> {
  /** A delivery that is retried. */
  readonly retrying: string;
}

/** A delivery with its history. */
export interface DemoRow {
  readonly row: Delivery;
  readonly records: readonly RecordDocument[];
}

const NEXT_ATTEMPT_MS = 23 * 60_000;
const ENABLED_FOR_MS = 30 * 24 * 3_600_000;
const FAILING_FOR_MS = 55 * 60_000;
const ENDPOINTS: Readonly<
  Record<DemoReceiver, { readonly url: string; readonly [setting: string]: unknown }>
> = {
  healthy: {
    url: 'https://hooks.northwind.example.com/postrider',
    description: 'Order pipeline',
    eventTypes: ['*'],
  },
  steady: {
    url: 'https://events.adventure-works.example.com/in',
    description: 'Data warehouse',
    eventTypes: ['*'],
    metadata: { customer: 'adventure-works' },
  },
  slow: {
    url: 'https://hooks.wingtip.example.com/v2/events',
    description: 'Toy shop',
    eventTypes: ['invoice.*'],
  },
  failing: {
    url: 'https://api.fabrikam.example.com/events',
    description: 'Billing sync',
    eventTypes: ['billing.plan_changed', 'invoice.*'],
  },
  disabled: {
    url: 'https://legacy.contoso.example.com/in',
    description: 'Old CRM',
    eventTypes: ['workspace_member.added'],
  },
};

/** Endpoints in several states with a day of deliveries and their counts, as a workspace in use has them. */
export async function insertDemoData(world: ApiWorld): Promise<DemoData> {
  const { request } = await world.as(['admin']);
  const ids: Partial<Record<DemoReceiver, string>> = {};
  for (const [name, body] of Object.entries(ENDPOINTS))
    ids[name as DemoReceiver] = (await request<{ id: string }>('/webhooks', { body })).body.id;
  const endpoints = ids as Readonly<Record<DemoReceiver, string>>;
  await request('/invitations', { body: { email: 'grace@example.com', role: 'member' } });
  await request('/portal-links', { body: { endpointIds: [endpoints.disabled] } });
  await insertDemoPeople(world, { id: endpoints.disabled, url: ENDPOINTS.disabled.url });
  const planned = planDemo(new Date());
  const rows = planned.map((plan, n) => rowOf(plan, { n, endpoints, workspaceId: world.workspace.id }));
  const held = planned.filter(({ isHeld }) => isHeld);
  const since = held.at(-1)?.createdAt ?? new Date();
  await world.database.collections.deliveries.insertMany(
    rows.map(({ row, records }, n) => ({
      ...toDeliveryDocument(row),
      records,
      ...(planned[n]?.isHeld === true && { heldSince: since }),
    })),
  );
  await insertDemoCounts(world, rows);
  await changeStates(world, endpoints, { since, held: held.length });
  const retrying = rows.find(({ row }) => row.status === 'failed');
  if (retrying === undefined) throw new Error('no delivery is retried');
  return { ...endpoints, retrying: retrying.row.id };
}

async function changeStates(
  { database }: ApiWorld,
  { failing, disabled }: Readonly<Record<DemoReceiver, string>>,
  { since, held }: { readonly since: Date; readonly held: number },
): Promise<void> {
  const { endpoints } = database.collections;
  await endpoints.updateMany({}, { $set: { enabledSince: new Date(Date.now() - ENABLED_FOR_MS) } });
  const failingSince = new Date(Date.now() - FAILING_FOR_MS);
  await endpoints.updateOne({ _id: failing }, { $set: { consecutiveFailures: 12, failingSince } });
  const closed = { enabled: false, disabledReason: 'consecutive_failures', disabledAt: since } as const;
  const holding = { since, rows: held, missed: 0 };
  await endpoints.updateOne({ _id: disabled }, { $set: { ...closed, consecutiveFailures: 20, holding } });
}

interface RowPlace {
  readonly n: number;
  readonly endpoints: Readonly<Record<DemoReceiver, string>>;
  readonly workspaceId: string;
}

function rowOf(
  { receiver, status, isHeld, eventType, createdAt }: PlannedDelivery,
  { n, endpoints, workspaceId }: RowPlace,
): DemoRow {
  const endpointId = endpoints[receiver];
  const payload = payloadOf(n, { createdAt, workspaceId, eventType });
  const row = {
    ...deliveryRow({ workspaceId, endpointId, status, createdAt, payload }),
    eventType,
    traceId: `4bf92f3577b34da6a3ce929d0e${String(n).padStart(6, '0')}`,
  } as Delivery;
  if (isHeld) return { row: { ...row, failureReason: 'endpoint_disabled' } as Delivery, records: [] };
  return withAttempts(row, demoAttempts(row, { n, isSlow: receiver === 'slow' }));
}

interface PayloadFacts {
  readonly createdAt: Date;
  readonly workspaceId: string;
  readonly eventType: string;
}

function payloadOf(n: number, { createdAt, workspaceId, eventType }: PayloadFacts) {
  const envelope = {
    eventId: `evt_01m822hatbyhse9rgj9j${String(n).padStart(6, '0')}`,
    occurredAt: createdAt.toISOString(),
    workspaceId,
  };
  if (eventType === 'invoice.paid')
    return { ...envelope, invoiceId: `in_${10_000 + n}`, amount: (n % 40) * 25 };
  if (eventType === 'workspace_member.added')
    return { ...envelope, memberId: `mem_${n}`, email: `person-${n}@example.com`, role: 'member' };
  return { ...envelope, previousPlan: 'free', plan: n % 2 === 0 ? 'team' : 'business' };
}

function withAttempts(row: Delivery, records: readonly Omit<AttemptFields, keyof Owner>[]): DemoRow {
  const last = records.at(-1);
  if (last === undefined) return { row, records: [] };
  const { ordinal, httpStatus, responseBody, attemptedAt, durationMs } = last;
  const failureReason = last.failureReason as never;
  const lastAttempt = { ordinal, httpStatus, failureReason, responseBody, attemptedAt, durationMs };
  const next = new Date(Date.now() + NEXT_ATTEMPT_MS);
  const due = row.status === 'failed' ? { nextAttemptAt: next, dueAt: next, failureReason } : {};
  const shown = { ...row, ...due, attempts: records.length, lastAttempt } as Delivery;
  return { row: shown, records: records as readonly RecordDocument[] };
}

type Owner = Pick<AttemptFields, 'deliveryId' | 'workspaceId' | 'endpointId'>;
