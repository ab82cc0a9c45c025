import { isDeepStrictEqual } from 'node:util';
import type { StreakChange } from '@postrider/shared/domain/delivery';
import { disabledSince } from '@postrider/shared/domain/disabled-period';
import { enableAgain } from '@postrider/shared/domain/enable-again';
import type {
  EndpointSecrets,
  LiveEndpoint,
  Recovery,
  Subscription,
} from '@postrider/shared/domain/endpoint';
import type { EndpointOptions } from '@postrider/shared/domain/endpoint-options';
import { readFilter } from '@postrider/shared/domain/event-filter';
import type { SubscribedType } from '@postrider/shared/domain/event-type';
import { resubscribe } from './resubscribe.js';

/** The fields to change; absent fields keep their value. */
export interface EndpointUpdate {
  readonly url?: string;
  readonly eventTypes?: readonly SubscribedType[];
  readonly description?: string | null;
  readonly recovery?: Recovery;
  readonly enabled?: boolean;
  /** The options as they are stored. */
  readonly options?: EndpointOptions;
  /** The secrets after a change of the signing method. */
  readonly secrets?: EndpointSecrets;
}

const FIELDS = ['url', 'eventTypes', 'description', 'recovery', 'signing'] as const;
const OPTIONS = ['headers', 'metadata', 'ratePerSecond', 'filter'] as const;
type ChangedField = (typeof FIELDS)[number] | (typeof OPTIONS)[number];

export interface EndpointUpdated {
  readonly endpoint: LiveEndpoint;
  /** The fields whose value changed, except `enabled`. */
  readonly changed: readonly ChangedField[];
  /** Null when `enabled` did not change. */
  readonly switched: 'enabled' | 'disabled' | null;
  /** The reset of the failure streak on enabling. */
  readonly streak: StreakChange | null;
}

/** Applies the fields that are present. A field that is set to its current value does not count as changed. */
export function updateEndpoint(before: LiveEndpoint, update: EndpointUpdate, at: Date): EndpointUpdated {
  const fields = applyFields(before, update, at);
  const { enabled = before.enabled } = update;
  // If failures have disabled the endpoint, it is now the operator's decision; the disabled period continues.
  if (update.enabled === false && before.disabledReason !== 'operator') {
    const disabledAt = before.enabled ? at : disabledSince(before);
    const disabled = { enabled: false, disabledReason: 'operator', disabledAt, probeAt: null } as const;
    const endpoint: LiveEndpoint = { ...fields.endpoint, ...disabled };
    return { ...fields, endpoint, switched: 'disabled', streak: null };
  }
  if (enabled === before.enabled) return { ...fields, switched: null, streak: null };
  const { endpoint, change } = enableAgain(fields.endpoint, at);
  return { ...fields, endpoint, switched: 'enabled', streak: change };
}

function applyFields(
  before: LiveEndpoint,
  update: EndpointUpdate,
  at: Date,
): Pick<EndpointUpdated, 'endpoint' | 'changed'> {
  const {
    url = before.url,
    description = before.description,
    secrets = before.secrets,
    options = {},
  } = update;
  const recovery = update.recovery ?? before.recovery ?? 'manual';
  const subscriptions = update.eventTypes
    ? resubscribe(before.subscriptions, update.eventTypes, at)
    : before.subscriptions;
  const isChanged = {
    url: url !== before.url,
    eventTypes: !sameTypes(subscriptions, before.subscriptions),
    description: description !== before.description,
    signing: secrets !== before.secrets,
    recovery: recovery !== (before.recovery ?? 'manual'),
  };
  const changed = [
    ...FIELDS.filter((field) => isChanged[field]),
    ...OPTIONS.filter(
      (name) =>
        options[name] !== undefined && !isDeepStrictEqual(optionOf(options, name), optionOf(before, name)),
    ),
  ];
  const probing = isChanged.recovery && {
    recovery,
    probeAt: recovery === 'probe' && before.disabledReason === 'consecutive_failures' ? at : null,
  };
  const endpoint = { ...before, ...options, url, description, subscriptions, secrets, ...probing };
  return { endpoint, changed };
}

/** An option as a value in which names have no order. An absent, null or empty option means the same: there is none. */
function optionOf(
  { headers, metadata, ratePerSecond, filter }: EndpointOptions,
  name: (typeof OPTIONS)[number],
) {
  switch (name) {
    case 'headers':
      return headers ?? null;
    case 'metadata':
      return metadata?.length
        ? Object.fromEntries(metadata.map(({ name: key, value }) => [key, value]))
        : null;
    case 'ratePerSecond':
      return ratePerSecond ?? null;
    case 'filter':
      return filter ? readFilter(filter) : null;
  }
}

function sameTypes(some: readonly Subscription[], others: readonly Subscription[]): boolean {
  const types = new Set(others.map(({ eventType }) => eventType));
  return some.length === others.length && some.every(({ eventType }) => types.has(eventType));
}
