import type { Positions } from '@postrider/shared/kafka/partition-reader';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Sealing } from '@postrider/shared/ports/sealing';
import type { StreamQuery } from '../domain/stream-query.js';

/** Turns positions into the ids of events in a stream, and back. */
export interface PositionIds {
  idOf(query: StreamKey, positions: Positions): string;
  /** Null for an id that is too old, or is not of this stream. */
  positionsOf(query: StreamKey, id: string): Positions | null;
}

type StreamKey = Pick<StreamQuery, 'workspaceId' | 'source'>;

/** How long an id can be used to resume, in milliseconds. */
export const RESUMED_WITHIN_MS = 5 * 60_000;

/**
 * An id holds its time and the position of each partition, so any process can resume it. It is sealed: positions would show
 * the traffic of the whole installation, and a forged one could ask for a long catch-up.
 */
export function createPositionIds(sealing: Sealing, clock: Clock): PositionIds {
  const contextOf = ({ workspaceId, source }: StreamKey) => `stream ${source} ${workspaceId}`;
  return {
    idOf(query, positions) {
      const at = clock.now().getTime();
      const parts = [...positions].map(([partition, offset]) => `${digits(partition)}:${digits(offset)}`);
      const { keyId, nonce, box } = sealing.seal([digits(at), ...parts].join(' '), contextOf(query));
      return Buffer.from([keyId, nonce, box].join(' ')).toString('base64url');
    },
    positionsOf(query, id) {
      const [keyId = '', nonce = '', box = ''] = Buffer.from(id, 'base64url').toString().split(' ');
      try {
        const [at = '', ...parts] = sealing.open({ keyId, nonce, box }, contextOf(query)).split(' ');
        const isRecent = clock.now().getTime() - number(at) <= RESUMED_WITHIN_MS;
        return isRecent ? new Map(parts.map(positionOf)) : null;
      } catch {
        return null;
      }
    },
  };
}

const RADIX = 36;

function digits(value: number): string {
  return value.toString(RADIX);
}

function number(text: string): number {
  return Number.parseInt(text, RADIX);
}

function positionOf(text: string): readonly [number, number] {
  const [partition = '', offset = ''] = text.split(':');
  return [number(partition), number(offset)];
}
