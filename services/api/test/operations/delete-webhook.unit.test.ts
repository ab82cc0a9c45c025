import { anEndpoint, idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';
import { deleteWebhook } from '../../src/operations/delete-webhook.js';

describe('delete_webhook', () => {
  /** Deletes an endpoint of a workspace that has one. @returns the refusal, and for which endpoints stored secrets were removed */
  async function refusalOf(endpointId: string) {
    const removed: string[] = [];
    const endpoint = anEndpoint();
    const run = deleteWebhook({
      endpoints: { find: async (_: string, id: string) => (id === endpoint.id ? endpoint : null) },
      storedSecrets: {
        async removeMany(id: string) {
          removed.push(id);
          return false;
        },
      },
    } as unknown as Parameters<typeof deleteWebhook>[0]);
    const call = { workspace: { id: endpoint.workspaceId } } as Parameters<typeof run>[0];
    const refusal = await run(call, { endpointId }).catch((error: Refusal) => error);
    return { tag: refusal instanceof Refusal ? refusal.tag : null, removed };
  }

  it('asks to repeat the request if not all stored secrets could be removed, and deletes nothing', async () => {
    const { id } = anEndpoint();
    expect(await refusalOf(id)).to.deep.equal({ tag: 'Unavailable', removed: [id] });
  });

  it('removes no stored secret of an endpoint that the workspace does not have', async () => {
    expect(await refusalOf(idFor('endpoint', 'foreign'))).to.deep.equal({
      tag: 'EndpointNotFound',
      removed: [],
    });
  });
});
