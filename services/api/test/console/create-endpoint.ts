import type { ConsoleWorld } from './console-world.js';

const BODY = { url: 'https://hooks.example.com/in', eventTypes: ['billing.plan_changed'] };

/** Creates an endpoint over REST, by default for the events that tests store. @returns its id */
export async function createEndpoint(
  { as }: Pick<ConsoleWorld, 'as'>,
  facts: {
    readonly url?: string;
    readonly eventTypes?: readonly string[];
    readonly description?: string;
  } = {},
): Promise<string> {
  const { request } = await as(['admin']);
  return (await request<{ id: string }>('/webhooks', { body: { ...BODY, ...facts } })).body.id;
}
