import type { Document } from '@postrider/shared/mongo/collections';
import { fromDocument, toDocument } from '@postrider/shared/mongo/documents';
import type {
  ClientSession,
  Collection,
  Filter,
  MatchKeysAndValues,
  OptionalUnlessRequiredId,
} from 'mongodb';
import type { Repository } from '../ports/unit-of-work.js';

/** Any row that belongs to a workspace. */
interface WorkspaceRow {
  readonly id: string;
  readonly workspaceId: string;
}

/** A repository that reads and writes within one transaction. */
export function repositoryOf<T extends WorkspaceRow, Row extends Document<T> = Document<T>>(
  collection: Collection<Row>,
  session: ClientSession,
): Repository<T> {
  return {
    async find(workspaceId, id) {
      const found = await collection.findOne({ _id: id, workspaceId } as Filter<Row>, { session });
      return found && fromDocument<T>(found as unknown as Document<T>);
    },
    async insert(row) {
      await collection.insertOne(toDocument(row) as unknown as OptionalUnlessRequiredId<Row>, { session });
    },
    async save(row) {
      const { _id, ...fields } = toDocument(row);
      const $set = fields as unknown as MatchKeysAndValues<Row>;
      await collection.updateOne({ _id } as Filter<Row>, { $set }, { session });
    },
  };
}
