import type { DeliveryStatus } from '@postrider/shared/domain/delivery';

/** The receivers of the demo data by what is to be seen of them. */
export const DEMO_RECEIVERS = ['healthy', 'steady', 'slow', 'failing', 'disabled'] as const;
export type DemoReceiver = (typeof DEMO_RECEIVERS)[number];

/** One delivery of the demo data. */
export interface PlannedDelivery {
  readonly receiver: DemoReceiver;
  readonly status: DeliveryStatus;
  readonly isHeld: boolean;
  readonly eventType: string;
  readonly createdAt: Date;
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
const WORKING_HOURS = { from: 7, to: 19 } as const;
/** A receiver failed in these hours, counted back from now. */
const OUTAGE = { from: 6, to: 8 } as const;
/** What each receiver subscribes to. */
const EVENT_TYPES: Readonly<Record<DemoReceiver, readonly string[]>> = {
  healthy: ['billing.plan_changed', 'invoice.paid', 'workspace_member.added'],
  steady: ['invoice.paid', 'workspace_member.added', 'billing.plan_changed'],
  slow: ['invoice.paid'],
  failing: ['billing.plan_changed', 'invoice.paid'],
  disabled: ['workspace_member.added'],
};

/** The deliveries of the last 24 hours that the plot has, the newest first: more of them by day than at night. */
export function planDemo(now: Date): readonly PlannedDelivery[] {
  const first = Math.floor(now.getTime() / HOUR_MS) - HOURS + 1;
  return Array.from({ length: HOURS }, (_, index) => hourOfDemo((first + index) * HOUR_MS, now))
    .flat()
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
}

function hourOfDemo(begin: number, now: Date): readonly PlannedDelivery[] {
  const hour = new Date(begin).getUTCHours();
  const isBusy = hour >= WORKING_HOURS.from && hour <= WORKING_HOURS.to;
  const count = (isBusy ? 140 : 70) + ((hour * 7) % 11);
  return Array.from({ length: count }, (_, n) => new Date(begin + ((n + 0.37) * HOUR_MS) / count))
    .filter((createdAt) => createdAt < now)
    .map((createdAt, n) =>
      deliveryAt(createdAt, { n, ago: (now.getTime() - createdAt.getTime()) / HOUR_MS }),
    );
}

function deliveryAt(
  createdAt: Date,
  { n, ago }: { readonly n: number; readonly ago: number },
): PlannedDelivery {
  const receiver = receiverOf(n);
  const status = statusOf(receiver, { n, ago });
  const isHeld = receiver === 'disabled' && ago < OUTAGE.from;
  const types = EVENT_TYPES[receiver];
  return { receiver, status, isHeld, eventType: types[Math.floor(n / 2) % types.length] ?? '', createdAt };
}

function receiverOf(n: number): DemoReceiver {
  if (n % 12 === 5) return 'failing';
  if (n % 12 === 8) return 'disabled';
  if (n % 3 === 1) return 'slow';
  return n % 4 === 3 ? 'steady' : 'healthy';
}

function statusOf(
  receiver: DemoReceiver,
  { n, ago }: { readonly n: number; readonly ago: number },
): DeliveryStatus {
  const isOutage = ago >= OUTAGE.from && ago < OUTAGE.to;
  if (receiver === 'disabled' && ago < OUTAGE.to) return 'failed_permanent';
  if (receiver === 'failing' && ago < 1) return 'failed';
  if (receiver === 'failing' && isOutage) return 'dead_lettered';
  return receiver === 'steady' && n === 3 && ago > 12 ? 'failed_permanent' : 'delivered';
}
