import kafkajs, { type PartitionMetadata } from 'kafkajs';

/** Returns a function from a key to its partition of `count`, compatible with Java clients (murmur2). */
export function createPartitioner(count: number): (key: string) => number {
  const choose = kafkajs.Partitioners.DefaultPartitioner();
  const partitionMetadata = Array.from({ length: count }, (_, partitionId): PartitionMetadata => {
    return { partitionId, leader: 0, replicas: [], isr: [], partitionErrorCode: 0 };
  });
  return (key) => choose({ topic: '', partitionMetadata, message: { key, value: null } });
}
