import type { Publisher } from './publish-load.js';

/** One kind of call that leads to deliveries. */
export interface Source {
  /** Below the workspace. */
  readonly path: string;
  readonly body?: object;
  /** The answer to an accepted call. */
  readonly status: number;
  readonly everyMs: number;
  /** By which ids the receiver recognises what the answer to a call accepted. */
  idsIn(answer: unknown): string[];
}

const BATCH = 10;
const EVENT = {
  type: 'invoice.paid',
  data: { invoiceId: 'in_4f9k2', customer: { id: 'cus_81' }, amount: 4_200, currency: 'EUR' },
};
/** Fewer than the tokens that a workspace may have, during a step. */
const TOKEN_EVERY_MS = 2_000;

/** Events of the installation's own types, in batches. */
export const ownEvents = (perSecond: number): Source => ({
  path: 'events/batch',
  body: { events: Array.from({ length: BATCH }, () => EVENT) },
  status: 202,
  everyMs: (BATCH * 1_000) / perSecond,
  idsIn: (answer) => (answer as { events: { eventId: string }[] }).events.map(({ eventId }) => eventId),
});

/** What every version has: test events, and events about tokens, which are fanned out. */
export const firstEvents = (perSecond: number, { endpointId }: Publisher): Source[] => [
  {
    path: `webhooks/${endpointId}/test-event`,
    status: 202,
    everyMs: 1_000 / perSecond,
    idsIn: (answer) => [(answer as { deliveryId: string }).deliveryId],
  },
  {
    path: 'api-tokens',
    body: { name: 'load', scopes: ['read'] },
    status: 201,
    everyMs: TOKEN_EVERY_MS,
    idsIn: (answer) => [(answer as { id: string }).id],
  },
];
