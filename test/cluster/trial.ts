import type { Stack } from '#dev/stack/stack';
import type { Cluster } from './cluster.js';
import type { CountingReceiver } from './load/counting-receiver.js';
import type { Undo } from './undo.js';

/** What every step needs. */
export interface Trial {
  readonly cluster: Cluster;
  readonly helm: string;
  /** What a step has created or changed is undone through this, so that it is undone on Ctrl-C, too. */
  readonly undo: Undo;
  /** Kafka, MongoDB and the schema registry, outside the cluster. */
  readonly servers: Stack;
  readonly receiver: CountingReceiver;
  /** Two images of this checkout that differ in their tag. */
  readonly image: { readonly repository: string; readonly tag: string; readonly nextTag: string };
  /** An earlier version to upgrade from, or null where none is chosen. */
  readonly previous: { readonly tag: string; readonly chart: string } | null;
  readonly perSecond: number;
  readonly report: (line: string) => void;
}

/** The address of the database of one installation. */
export const databaseOf = ({ servers }: Trial, name: string): string =>
  servers.mongodbUri.replace('/postrider?', `/${name}?`);
