import type { EndpointTarget, SettledEndpoint } from '../domain/endpoint.js';
import type { FieldsOf } from './documents.js';

/** The projection of the endpoint fields that settling needs. */
export const SETTLED: FieldsOf<SettledEndpoint> = {
  workspaceId: 1,
  url: 1,
  enabledSince: 1,
  disabledAt: 1,
  lastPeriod: 1,
  earlierPeriods: 1,
  recovery: 1,
  probeAt: 1,
  enabled: 1,
  disabledReason: 1,
  consecutiveFailures: 1,
  streakVersion: 1,
  failingSince: 1,
  deletedAt: 1,
};
/** The fields of an endpoint that sending needs. */
export const TARGET: FieldsOf<EndpointTarget> = { ...SETTLED, secrets: 1, headers: 1, ratePerSecond: 1 };
