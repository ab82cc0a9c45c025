import type { ClientSession, Collection, Filter, OptionalUnlessRequiredId, UpdateFilter } from 'mongodb';

/**
 * Inserts documents in a transaction, in their order. Existing ones do not change, and of several with the same id the first is
 * inserted. If another transaction inserts one meanwhile, the two conflict, and this one is retried.
 */
export async function insertMissing<Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  documents: readonly Row[],
  session: ClientSession,
): Promise<void> {
  const [only, ...others] = documents;
  if (only === undefined) return;
  if (others.length === 0) {
    // One command is cheaper than two.
    const { _id, ...fields } = only;
    await collection.updateOne({ _id } as Filter<Row>, { $setOnInsert: fields } as UpdateFilter<Row>, {
      session,
      upsert: true,
    });
    return;
  }
  const byId = new Map<string, Row>();
  for (const document of documents) if (!byId.has(document._id)) byId.set(document._id, document);
  const stored = await collection
    .find({ _id: { $in: [...byId.keys()] } } as Filter<Row>, { projection: { _id: 1 }, session })
    .toArray();
  for (const { _id } of stored) byId.delete(_id);
  if (byId.size === 0) return;
  await collection.insertMany([...byId.values()] as OptionalUnlessRequiredId<Row>[], { session });
}
