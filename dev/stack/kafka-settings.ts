/**
 * Settings of a small single broker that is also its own controller, without paths.
 * Sizes and thread counts suit a machine that does other work as well. The comments state the cost of a default.
 */
export const KAFKA_SETTINGS: Readonly<Record<string, string>> = {
  'process.roles': 'broker,controller',
  'node.id': '1',
  listeners: 'PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093',
  'controller.quorum.voters': '1@127.0.0.1:9093',
  'controller.listener.names': 'CONTROLLER',
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'auto.create.topics.enable': 'false',
  'num.partitions': '2',
  'default.replication.factor': '1',
  'offsets.topic.num.partitions': '1',
  'offsets.topic.replication.factor': '1',
  'transaction.state.log.num.partitions': '1',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'share.coordinator.state.topic.num.partitions': '1',
  'share.coordinator.state.topic.replication.factor': '1',
  'share.coordinator.state.topic.min.isr': '1',
  // A group with one member need not wait three seconds for a second one.
  'group.initial.rebalance.delay.ms': '0',
  // Lets tests notice a killed consumer quickly.
  'group.min.session.timeout.ms': '1000',
  'num.network.threads': '2',
  'num.io.threads': '2',
  'background.threads': '2',
  'num.recovery.threads.per.data.dir': '1',
  // 128 MB of heap by default, for compacting logs larger than any here.
  'log.cleaner.dedupe.buffer.size': '2097152',
  'log.cleaner.io.buffer.size': '65536',
  'log.segment.bytes': '67108864',
  'log.index.size.max.bytes': '1048576',
  'log.retention.hours': '168',
  // Deleted topics free their files at once instead of after a minute.
  'log.segment.delete.delay.ms': '1000',
  // A record every half second by default, even when nothing happens.
  'metadata.max.idle.interval.ms': '0',
};

/** The text of a Java properties file. */
export function toProperties(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
