import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';

type Status = components['schemas']['ReplayJobStatus'];

const TONES: Readonly<Record<Status, Tone>> = {
  counting: 'neutral',
  running: 'warn',
  paused: 'hold',
  succeeded: 'good',
  cancelled: 'neutral',
  failed: 'bad',
};

export function JobStatusBadge({ status }: { readonly status: Status }) {
  return <Badge tone={TONES[status]}>{texts.replays.statuses[status]}</Badge>;
}
