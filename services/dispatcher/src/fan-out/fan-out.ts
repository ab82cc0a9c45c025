import { firstDue } from '@postrider/shared/domain/first-due';
import type { Clock } from '@postrider/shared/ports/clock';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import type { Log } from '@postrider/shared/ports/log';
import type { Enqueue } from '@postrider/shared/ports/queue';
import { createPacer } from '@postrider/shared/runtime/pacer';
import { pause } from '@postrider/shared/runtime/pause';
import { nextTurn } from '@postrider/shared/runtime/turns';
import type { HandOver } from '../ports/hand-over.js';
import { createHeldLimit } from './held-limit.js';
import type { Completion, OpenEvent } from './open-event.js';
import { createProgress, type Reached } from './progress.js';
import { createPublishing, type StoredPiece } from './publishing.js';
import type { ReadEvent } from './read-event.js';
import { createRounds } from './rounds.js';
import { createWorkspaceRing } from './workspace-ring.js';

/** Creates the deliveries of events in chunks: stores their rows and publishes their messages. */
export interface FanOut {
  /** Adds an event and returns at once. */
  add(event: NewEvent): OpenEvent;
  /** Drops events that are not wanted any more. What is being stored or published is finished. */
  removeUnwanted(): void;
  /** Starts no new chunk. Resolves when none is in progress, or after `withinMs`. */
  quiesce(withinMs: number): Promise<void>;
}

export type NewEvent = Pick<OpenEvent, 'event' | 'bytes' | 'isWanted'> & Pick<Completion, 'done'>;

/** Notified of each event. */
export interface FanOutObserver {
  /** @returns the id of the span of its fan-out, if it is traced */
  opened(event: ReadEvent): string | null;
  /** All its deliveries are stored, and their messages are published, not needed for first attempts, or left to their rows. */
  closed(event: OpenEvent): void;
}

interface FanOutParts {
  readonly store: FanOutStore;
  readonly enqueue: Enqueue;
  /** Is offered the rows that were new as soon as they are stored, before their messages are published. */
  readonly handOver: HandOver;
  /** Whether attempts could start that this process has no time for. */
  readonly isSendingBehind: () => boolean;
  /** Whether every process of the installation understands held deliveries. */
  readonly mayHold: () => boolean;
  /** Deliveries that are held for an endpoint in one disabled period. */
  readonly heldPerEndpoint: number;
  readonly observer: FanOutObserver;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly clock: Clock;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  /** The machine's own clock, in milliseconds. */
  readonly wallMs: () => number;
  readonly log: Log;
}

/** What remains of a piece once its messages are published or left to their rows. It refers to no row that was handed over. */
interface End {
  /** The event, if its first attempts wait for the messages. */
  readonly waiting: OpenEvent | null;
  readonly completion: Completion;
  readonly reached: Reached;
}

/** Stored rows whose messages have not been tried yet at which no more rows are stored. */
const MOST_PENDING = 2_000;
/**
 * How long a round waits at most until sending has caught up, in milliseconds. Rows that are stored earlier than they can be sent
 * have no room in memory, so that their messages and they themselves would have to be read.
 */
const MOST_WAIT_MS = 100;
const LOOK_AGAIN_MS = 5;
/** Minimum time between rounds, so that each handles more events. A round whose chunk was full is not waited for. */
const ROUND_MS = 8;

/** Wires the parts of the fan-out. */
export function createFanOut(parts: FanOutParts): FanOut {
  const { observer, monotonicMs } = parts;
  const ring = createWorkspaceRing();
  const publishing = createPublishing({ ...parts, pause, onRoom: () => kick() });
  const progress = createProgress(parts);
  const heldLimit = createHeldLimit({ ...parts, perEndpoint: parts.heldPerEndpoint });
  const pace = createPacer(ROUND_MS);
  let isStopping = false;
  let isRunning = false;
  /** Stored pieces whose messages are neither published nor left to their rows. */
  let unfinished = 0;

  const close = (event: OpenEvent) => {
    event.unqueued -= 1;
    if (event.completion.isPlanned && event.unqueued === 0) observer.closed(event);
  };
  const endOf = (piece: StoredPiece): End => ({
    waiting: isHandedOver(piece) ? null : piece.event,
    completion: piece.event.completion,
    reached: progress.reachedBy([piece]),
  });
  const finish = async (ends: readonly End[]) => {
    for (const { waiting } of ends) if (waiting !== null) close(waiting);
    await progress.save(new Map(ends.flatMap(({ reached }) => [...reached])));
    unfinished -= ends.length;
    for (const { completion } of ends) {
      completion.unpublished -= 1;
      if (completion.isPlanned && completion.unpublished === 0) completion.done();
    }
  };
  const publishAndFinish = (pieces: readonly StoredPiece[]) => {
    const ends = new Map(pieces.map(endOf).entries());
    for (const [index, { event }] of pieces.entries()) if (ends.get(index)?.waiting === null) close(event);
    unfinished += pieces.length;
    publishing.publish(pieces, (indices) => {
      void finish(indices.flatMap((index) => ends.get(index) ?? []));
      for (const index of indices) ends.delete(index);
    });
  };
  const rounds = createRounds({
    ...parts,
    ring,
    progress,
    heldLimit,
    pause,
    newDueAt: () => firstDue(parts.clock.now(), parts.wallMs()),
    onChunk(pieces) {
      for (const { event } of pieces) {
        event.completion.unpublished += 1;
        event.unqueued += 1;
      }
      publishAndFinish(pieces);
    },
    addLater(event, delayMs) {
      const addAgain = () => {
        if (event.isWanted()) ring.add(event);
        kick();
      };
      setTimeout(addAgain, delayMs).unref();
    },
  });
  const mayRun = () => !isStopping && ring.size() > 0 && publishing.pending() < MOST_PENDING;
  const letSendingCatchUp = async () => {
    const until = monotonicMs() + MOST_WAIT_MS;
    while (!isStopping && parts.isSendingBehind() && monotonicMs() < until) await pause(LOOK_AGAIN_MS);
  };
  const run = async () => {
    await nextTurn();
    while (mayRun()) {
      await pace();
      for (let isFull = true; isFull && mayRun(); ) {
        await letSendingCatchUp();
        isFull = mayRun() && (await rounds.run());
        // A chunk without rows waits for no server.
        await nextTurn();
      }
    }
  };
  const kick = () => {
    if (isRunning || !mayRun()) return;
    isRunning = true;
    void run().finally(() => {
      isRunning = false;
      kick();
    });
  };

  return {
    add({ event, done, ...rest }) {
      const open: OpenEvent = {
        event,
        ...rest,
        completion: { isPlanned: false, unpublished: 0, done },
        readAt: monotonicMs(),
        spanId: observer.opened(event),
        arrival: 0,
        after: null,
        isLarge: false,
        isMatched: false,
        unqueued: 0,
        failures: 0,
      };
      ring.add(open);
      kick();
      return open;
    },
    removeUnwanted: ring.removeUnwanted,
    async quiesce(withinMs) {
      isStopping = true;
      publishing.hurry();
      const until = monotonicMs() + withinMs;
      while ((isRunning || unfinished > 0) && monotonicMs() < until) await pause(10);
      publishing.stop();
      await heldLimit.flush();
    },
  };
}

/** Whether the first attempts of all its rows start without their messages. */
function isHandedOver({ rows, handedOver }: StoredPiece): boolean {
  return rows.every(({ row }) => handedOver.has(row.id));
}
