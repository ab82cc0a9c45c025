import type { Collection, Document } from 'mongodb';

/** The stages of one aggregation of a collection that returns the results of several. */
export function unionOf(
  { collectionName: coll }: Pick<Collection, 'collectionName'>,
  pipelines: readonly (readonly Document[])[],
): Document[] {
  const [first = [], ...others] = pipelines;
  return [...first, ...others.map((pipeline) => ({ $unionWith: { coll, pipeline } }))];
}
