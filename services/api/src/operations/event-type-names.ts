import { isEventType, isWildcard, TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';
import { type InputError, Refusal } from '../domain/refusal.js';
import type { Deps } from './deps.js';

/** The subscriptions to types that do not exist, each with its path. Ignores what is not a name. */
export function unknownSubscriptions(
  { catalogue }: Pick<Deps, 'catalogue'>,
  eventTypes: readonly unknown[],
): readonly InputError[] {
  const { types } = catalogue.current();
  const message = 'must be a known event type, "*" or a prefix like "invoice.*"';
  return eventTypes.flatMap((name, index) =>
    typeof name !== 'string' || isEventType(name) || types.has(name) || isWildcard(name)
      ? []
      : [{ path: `eventTypes[${index}]`, message }],
  );
}

/**
 * The subscriptions that a caller asks for, each once.
 *
 * @throws Refusal `UpgradeInProgress` when older processes would ignore one
 */
export function subscribedTypes(
  { catalogue, requireFeature }: Pick<Deps, 'catalogue' | 'requireFeature'>,
  eventTypes: readonly string[],
): readonly string[] {
  const { types } = catalogue.current();
  if (eventTypes.some((name) => types.has(name))) requireFeature('customEventTypes');
  if (eventTypes.some(isWildcard)) requireFeature('subscriptionPatterns');
  return [...new Set(eventTypes)];
}

/** The types that deliveries are selected by and that do not exist, each with its path. */
export function unknownTypes(
  { catalogue }: Pick<Deps, 'catalogue'>,
  selected: Readonly<Record<string, string | undefined>>,
): readonly InputError[] {
  const { types } = catalogue.current();
  return Object.entries(selected)
    .filter(
      ([, name]) => name !== undefined && !isEventType(name) && name !== TEST_EVENT_TYPE && !types.has(name),
    )
    .map(([path]) => ({ path, message: 'must be a known event type' }));
}

/** @throws Refusal `InvalidRequest` when deliveries are selected by a type that does not exist */
export function refuseUnknownTypes(...selection: Parameters<typeof unknownTypes>): void {
  const mistakes = unknownTypes(...selection);
  if (mistakes.length > 0) throw Refusal.invalid(...mistakes);
}
