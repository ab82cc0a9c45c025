import type { Notification } from '@postrider/shared/domain/notification';
import { toDocument } from '@postrider/shared/mongo/documents';
import { expect } from 'chai';
import { readDocument } from '../../src/document/read-document.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { createResources } from './resources.js';

/** Types of events are no resources of a workspace. */
const LISTS = Object.entries(readDocument().paths).flatMap(([template, { get }]) => {
  const path = template.replace('/workspaces/{slug}/', '/');
  const { operationId } = get ?? { operationId: '' };
  const isList = operationId.startsWith('list_') && operationId !== 'list_event_types';
  return isList && !path.includes('{') ? [{ path, operationId }] : [];
});
/** Any identifier. */
const ID = /\b[a-z]{2,4}_[0-9a-z]{26}\b/g;

describe('two workspaces', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let stranger: ApiClient;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    stranger = await world.as(['admin'], { workspace: await world.addWorkspace('stranger') });
    const resources = createResources(world, admin);
    await resources.delivery('dead_lettered');
    await resources.member('member');
    await resources.portalLink();
    await resources.invitation();
    await resources.replayJob('succeeded');
    const notification: Notification = {
      id: newId('notification'),
      workspaceId: world.workspace.id,
      kind: 'endpoint_stopped_receiving',
      message: 'It stopped receiving.',
      endpointId: newId('endpoint'),
      data: { deliveryId: 'whd_1', failingSince: '2026-03-01T09:30:00.000Z' },
      createdAt: world.clock.now(),
    };
    await world.database.collections.notifications.insertOne(toDocument(notification));
  });
  after(() => world?.destroy());

  for (const { path, operationId } of LISTS)
    it(`are shown nothing of each other by ${operationId}`, async () => {
      const shownTo = async (as: ApiClient) => JSON.stringify((await as.request(path)).body).match(ID) ?? [];
      const ids: readonly string[] = await shownTo(admin);
      expect(ids, 'to the workspace itself').to.not.deep.equal([]);
      expect((await shownTo(stranger)).filter((id) => ids.includes(id))).to.deep.equal([]);
    });
});
