import kafkajs, { type PartitionMetadata } from 'kafkajs';

/** Which partition a key goes to among `count`: the same as for every Java client (murmur2). */
export function createPartitioner(count: number): (key: string) => number {
  const choose = kafkajs.Partitioners.DefaultPartitioner();
  const partitionMetadata = Array.from({ length: count }, (_, partitionId): PartitionMetadata => {
    return { partitionId, leader: 0, replicas: [], isr: [], partitionErrorCode: 0 };
  });
  return (key) => choose({ topic: '', partitionMetadata, message: { key, value: null } });
}
