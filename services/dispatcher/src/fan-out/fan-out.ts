import { firstDue } from '@postrider/shared/domain/first-due';
import type { Clock } from '@postrider/shared/ports/clock';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import type { Log } from '@postrider/shared/ports/log';
import type { Enqueue } from '@postrider/shared/ports/queue';
import { createPacer, spacing } from '@postrider/shared/runtime/pacer';
import { sleep } from '@postrider/shared/runtime/sleep';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import type { HandOver, Starts, UnstartedRows } from '../ports/hand-over.js';
import { createHeldLimit } from './held-limit.js';
import { createLaneRests } from './lane-rests.js';
import {
  beginPiece,
  type Completion,
  endPublishing,
  endQueueing,
  type NewEvent,
  type OpenEvent,
  openEvent,
} from './open-event.js';
import { type Checkpoint, createProgress } from './progress.js';
import { createPublishing, type StoredPiece } from './publishing.js';
import type { ReadEvent } from './read-event.js';
import { createRounds, type RoundEnd } from './rounds.js';
import { createWorkspaceRing } from './workspace-ring.js';

/** Creates the deliveries of events in chunks: stores their rows and publishes their messages. */
export interface FanOut {
  /** Adds an event and returns at once. */
  add(event: NewEvent): OpenEvent;
  /** Drops events that are no longer wanted. Rows and messages that are being stored or published are finished. */
  removeUnwanted(): void;
  /** Starts no new chunk. Resolves when none is in progress, or after `withinMs`, and a moment for the counts of held rows. */
  quiesce(withinMs: number): Promise<void>;
}

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
  /** Is offered new rows as soon as they are stored, before their messages are published. */
  readonly handOver: HandOver;
  readonly unstartedRows: UnstartedRows;
  readonly starts: Starts;
  /** Whether every process of the installation understands held deliveries. */
  readonly mayHold: () => boolean;
  /** Maximum number of deliveries that are held for an endpoint in one disabled period. */
  readonly heldPerEndpoint: number;
  readonly observer: FanOutObserver;
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** How busy the process is, 0 to 1. */
  readonly busy: () => number;
  readonly clock: Clock;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  /** The machine's own clock, in milliseconds. */
  readonly wallMs: () => number;
  readonly log: Log;
}

/** The part of a piece that is needed when it ends. It refers to neither the event nor the rows. */
interface End {
  readonly completion: Completion;
  readonly checkpoint: Checkpoint | null;
}

/** No more rows are stored while the messages of this many stored rows have not been tried yet. */
const MAX_PENDING = 2_000;
/** Minimum time between rounds, so that each handles more events. The round after a full chunk starts at once. */
const ROUND_MS = 8;
/** How soon lanes are looked at again while all of them rest, in milliseconds. */
const POLL_EVERY_MS = 5;

/** Maximum time that a stop waits for the counts of held rows, in milliseconds: a crash loses as many. */
const FLUSH_WITHIN_MS = 1_000;

/** Wires the parts of the fan-out. */
export function createFanOut(parts: FanOutParts): FanOut {
  const { observer, monotonicMs } = parts;
  const ring = createWorkspaceRing();
  const publishing = createPublishing({ ...parts, sleep, onRoom: () => kick() });
  const progress = createProgress(parts);
  const rests = createLaneRests({ ...parts, spacing: () => spacing('busy', parts.busy()) });
  const heldLimit = createHeldLimit({ ...parts, perEndpoint: parts.heldPerEndpoint });
  const pace = createPacer(ROUND_MS);
  let isStopping = false;
  let isRunning = false;
  let added = Promise.withResolvers<void>();
  /** Stored pieces whose messages are neither published nor left to their rows. */
  let unfinished = 0;

  const close = (event: OpenEvent) => {
    if (!endQueueing(event)) return;
    observer.closed(event);
    event.completion.queued();
  };
  const finish = async (ends: readonly End[]) => {
    const reached = ends.filter(({ checkpoint }) => checkpoint !== null);
    for (const { checkpoint } of reached) if (checkpoint !== null) checkpoint.isReached = true;
    if (reached.length > 0) await progress.save(new Set(reached.map(({ completion }) => completion)));
    unfinished -= ends.length;
    for (const { completion } of ends) endPublishing(completion);
  };
  const publishAndFinish = (pieces: readonly StoredPiece[]) => {
    // Ended pieces are removed: the last messages of a chunk may be published long after the others.
    const unqueued = new Map(pieces.map(({ event }) => event).entries());
    const ends = new Map(
      pieces
        .map((piece): End => ({ completion: piece.event.completion, checkpoint: progress.begin(piece) }))
        .entries(),
    );
    unfinished += pieces.length;
    publishing.publish(pieces, {
      onQueued(indices) {
        for (const event of takeAll(unqueued, indices)) close(event);
      },
      onDone: (indices) => void finish(takeAll(ends, indices)),
    });
  };
  const rounds = createRounds({
    ...parts,
    ring,
    progress,
    rests,
    heldLimit,
    sleep,
    newDueAt: () => firstDue(parts.clock.now(), parts.wallMs()),
    onChunk(pieces) {
      for (const { event } of pieces) beginPiece(event);
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
  const mayRun = () => !isStopping && ring.size() > 0 && publishing.pending() < MAX_PENDING;
  /** Resolves when an event is added, or after `ms`. */
  const addedOr = (ms: number) => {
    added = Promise.withResolvers();
    return Promise.race([added.promise, sleep(ms)]);
  };
  const run = async () => {
    await nextTurn();
    while (mayRun()) {
      await pace();
      let end: RoundEnd = 'full';
      while (end === 'full' && mayRun()) {
        end = await rounds.run();
        // A chunk without rows waits for no server.
        await nextTurn();
      }
      if (end === 'resting') await addedOr(POLL_EVERY_MS);
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
    add(event) {
      const open = openEvent(event, monotonicMs(), observer.opened(event.event));
      ring.add(open);
      added.resolve();
      kick();
      return open;
    },
    removeUnwanted: ring.removeUnwanted,
    async quiesce(withinMs) {
      isStopping = true;
      publishing.hurry();
      const until = monotonicMs() + withinMs;
      while ((isRunning || unfinished > 0) && monotonicMs() < until) await sleep(10);
      publishing.stop();
      await waitAtMost(heldLimit.flush(), FLUSH_WITHIN_MS);
    },
  };
}

/** Removes and returns the items at the given indices. */
function takeAll<Item>(items: Map<number, Item>, indices: readonly number[]): readonly Item[] {
  return indices.flatMap((index) => {
    const item = items.get(index);
    items.delete(index);
    return item === undefined ? [] : [item];
  });
}
