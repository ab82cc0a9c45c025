import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import type { ApiWorld } from '../api-world.js';

export const CREATE = {
  url: 'https://hooks.example.com/s3cret-path',
  eventTypes: ['billing.plan_changed', 'api_token.created'],
  description: 'CRM',
};

/** Creates webhook endpoints through the API and reads what is stored. */
export type Endpoints = ReturnType<typeof endpointsOf>;

export function endpointsOf(world: ApiWorld, admin: ApiClient) {
  return {
    create: async (facts: object = {}) =>
      (await admin.request<Webhook>('/webhooks', { body: { ...CREATE, ...facts } })).body,
    stored: (id: string) => world.database.collections.endpoints.findOne({ _id: id }),
    /** The actions of the audit entries, oldest first. */
    actions: async (id: string) => (await world.audits(id)).map(({ action }) => action),
  };
}
