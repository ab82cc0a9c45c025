import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';

type DeliveryStatus = components['schemas']['DeliveryStatus'];

const TONES: Readonly<Record<DeliveryStatus, Tone>> = {
  pending: 'neutral',
  delivered: 'good',
  failed: 'warn',
  failed_permanent: 'bad',
  dead_lettered: 'bad',
};

export function StatusBadge({ status }: { readonly status: DeliveryStatus }) {
  return <Badge tone={TONES[status]}>{texts.deliveries.statuses[status]}</Badge>;
}
