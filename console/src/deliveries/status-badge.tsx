import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';

type Delivery = components['schemas']['Delivery'];

const STATUS_TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'neutral',
  delivered: 'good',
  failed: 'warn',
  failed_permanent: 'bad',
  dead_lettered: 'bad',
};

export function isDeliveryStatus(text: string): text is Delivery['status'] {
  return text in STATUS_TONES;
}

/** A delivery that was not sent because its endpoint is disabled has a look of its own. */
export function StatusBadge({ status, failureReason }: Pick<Delivery, 'status' | 'failureReason'>) {
  if (failureReason === 'endpoint_disabled') return <Badge tone="hold">{texts.deliveries.held}</Badge>;
  return <Badge tone={STATUS_TONES[status]}>{texts.deliveries.statuses[status]}</Badge>;
}
