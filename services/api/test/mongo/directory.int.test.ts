import { toDocument } from '@postrider/shared/mongo/documents';
import { idFor } from '@postrider/shared/testing/builders';
import { type TestDatabase, testDatabase } from '@postrider/shared/testing/test-database';
import { anApiToken, aWorkspace } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import { createDirectory } from '../../src/mongo/directory.js';

describe('the directory', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database?.drop());

  it('finds the workspaces with interrupted revocations one after the other', async () => {
    const ids = ['a', 'b', 'c'].map((name) => idFor('workspace', name)).toSorted();
    const [first, , last] = ids;
    const { workspaces, apiTokens } = database.collections;
    await workspaces.insertMany(ids.map((id) => ({ ...toDocument(aWorkspace({ id, slug: id })), guard: 0 })));
    await apiTokens.insertMany(
      ids.map((workspaceId) => ({
        ...toDocument(anApiToken({ id: idFor('token', workspaceId), workspaceId, hash: workspaceId })),
        ...(workspaceId !== ids[1] && { family: 'pending' as const }),
      })),
    );
    const { workspaceWithPendingFamilies } = createDirectory(database.collections);
    expect((await workspaceWithPendingFamilies(null))?.id).to.equal(first);
    expect((await workspaceWithPendingFamilies(first!))?.id).to.equal(last);
    expect(await workspaceWithPendingFamilies(last!)).to.equal(null);
  });
});
