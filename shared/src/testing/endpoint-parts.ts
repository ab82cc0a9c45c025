import type { Endpoint, EndpointTarget, SettledEndpoint, SubscribedEndpoint } from '../domain/endpoint.js';

/** The part of an endpoint that an attempt needs. */
export function endpointTargetOf(endpoint: Endpoint): EndpointTarget {
  const {
    subscriptions: _,
    description: __,
    holding: ___,
    missedPeriods: ____,
    createdAt: _____,
    ...target
  } = endpoint;
  return target;
}

/** Settling does not need the secrets and does not read them. */
export function settledEndpointOf(endpoint: Endpoint): SettledEndpoint {
  const { secrets: _, ...settled } = endpointTargetOf(endpoint);
  return settled;
}

/** The part of an endpoint that the fan-out needs. */
export function subscriberOf(endpoint: Endpoint): SubscribedEndpoint {
  const { description: _, createdAt: __, missedPeriods: ___, ...subscriber } = endpoint;
  return subscriber;
}
