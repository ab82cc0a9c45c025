import type { Positions } from '@postrider/shared/kafka/partition-reader';
import { Refusal } from '../domain/refusal.js';
import type { StreamQuery, StreamSource } from '../domain/stream-query.js';
import type { StreamCounts } from '../ports/stream-counts.js';
import { formatReset } from './format-event.js';
import type { LiveTopic } from './live-topic.js';
import type { PositionIds } from './position-ids.js';
import { createSharedPayloads } from './shared-payloads.js';
import { createStream, type Stream, type StreamEnd, type StreamSink } from './stream.js';
import { createWriteBudget } from './write-budget.js';

/** All open streams of a process. */
export interface OpenStreams {
  /** @throws Refusal `TooManyStreams` or `Unavailable` before anything is written */
  open(request: StreamRequest): Promise<OpenStream>;
  /** Streams that are given new records. */
  size(): number;
  /** Ends all streams, so that their clients connect to another process. */
  close(): Promise<void>;
}

export interface StreamRequest {
  readonly query: StreamQuery;
  /** Streams of one credential are counted together. */
  readonly credentialId: string;
  /** Where the client wants to continue; null for a new stream. */
  readonly lastEventId: string | null;
  /** Whether the caller may still see the stream. Rejects while that is unknown. */
  readonly mayContinue: () => Promise<boolean>;
}

export interface OpenStream {
  /**
   * Starts writing: at once if the stream resumes, and otherwise once it is given new records, so that everything that happens
   * after its first line is in it. If that is not possible, ends the sink, without writing to it unless the stream resumes.
   */
  start(sink: StreamSink): void;
  /** The client is gone. */
  close(): void;
}

interface OpenStreamsParts {
  readonly topics: Readonly<Record<StreamSource, LiveTopic>>;
  readonly ids: PositionIds;
  readonly readPayloads: Parameters<typeof createSharedPayloads>[0];
  /** The streams of all processes. */
  readonly counts: StreamCounts;
  /** Maximum number of open streams of this process. */
  readonly maxStreams: number;
  /** Monotonic, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly onEvents: (count: number) => void;
  /** Called when a stream has ended that had begun. */
  readonly onEnd: (reason: StreamEnd | 'client') => void;
}

interface Entry {
  readonly request: StreamRequest;
  stream: Stream | null;
  hasBegun: boolean;
  /** Whether it receives new records. */
  isLive: boolean;
  /** When its caller's access was confirmed. */
  confirmedAt: number;
}

const STREAMS_PER_CREDENTIAL = 10;
/** The share of a process's streams that one workspace may have: its tokens and portal links may be many. */
const WORKSPACE_SHARE = 1 / 5;
const KEEP_ALIVE_MS = 15_000;
const CONFIRM_EVERY_MS = 3_000;
/** A stream ends if its caller's access cannot be confirmed for this long, in milliseconds. */
const CONFIRMED_WITHIN_MS = 9_000;
const MIB = 1024 * 1024;
/** Maximum size of the text that waits to be written, for one stream and for all. Streams of a workspace share most of it. */
const MAX_WAITING_BYTES = MIB;
const MAX_WAITING_BYTES_OF_ALL = 192 * MIB;
/** The minimum for one stream: twice what it is given at once. */
const MIN_WAITING_BYTES = 160 * 1024;
/** Maximum number of bytes that are read and written for all streams together, and for those of one workspace. */
const WRITE_BUDGET = { maxBytes: 64 * MIB, maxBytesPerWorkspace: 16 * MIB, bytesForOthers: 16 * MIB };
const MAX_SHARED_PAYLOAD_BYTES = 16 * MIB;

export function createOpenStreams(parts: OpenStreamsParts): OpenStreams {
  const { topics, ids, counts, monotonicMs } = parts;
  const entries = new Set<Entry>();
  const budget = createWriteBudget(WRITE_BUDGET);
  const payloads = createSharedPayloads(parts.readPayloads, MAX_SHARED_PAYLOAD_BYTES);
  const maxPerWorkspace = Math.max(1, Math.floor(parts.maxStreams * WORKSPACE_SHARE));
  let timers: readonly NodeJS.Timeout[] = [];
  let isClosed = false;

  const countOf = (workspaceId: string) =>
    [...entries].filter(({ request }) => request.query.workspaceId === workspaceId).length;

  const keepAlive = () => {
    for (const { stream, isLive, request } of entries)
      stream?.keepAlive(isLive ? topics[request.query.source].positions(stream) : null);
  };
  const confirm = async (entry: Entry) => {
    const mayContinue = await entry.request.mayContinue().catch(() => null);
    if (mayContinue === true) entry.confirmedAt = monotonicMs();
    if (mayContinue === false) entry.stream?.end('token_ended');
    else if (monotonicMs() - entry.confirmedAt > CONFIRMED_WITHIN_MS) entry.stream?.end('shutdown');
  };
  const setTimers = () => {
    if (timers.length > 0 || entries.size === 0) return;
    timers = [
      setInterval(keepAlive, KEEP_ALIVE_MS),
      setInterval(() => {
        counts.renew();
        payloads.forgetOlder();
        for (const entry of entries) void confirm(entry);
      }, CONFIRM_EVERY_MS),
    ];
  };
  const forget = (entry: Entry): boolean => {
    if (!entries.delete(entry)) return false;
    counts.remove(entry.request.credentialId);
    if (entries.size > 0) return true;
    for (const timer of timers) clearInterval(timer);
    timers = [];
    payloads.clear();
    return true;
  };
  const remove = (entry: Entry, reason: StreamEnd | 'client') => {
    if (!forget(entry)) return;
    if (entry.hasBegun) parts.onEnd(reason);
    if (entry.stream !== null) topics[entry.request.query.source].leave(entry.stream);
  };
  const join = async (entry: Entry, stream: Stream, sink: StreamSink) => {
    const { query, lastEventId } = entry.request;
    const topic = topics[query.source];
    const from = lastEventId === null ? null : ids.positionsOf(query, lastEventId);
    const begin = () => {
      entry.hasBegun = true;
      stream.begin();
    };
    if (from !== null) begin();
    await topic.join(stream, from);
    if (!entries.has(entry)) return;
    entry.isLive = true;
    if (from === null) begin();
    if (from === null && lastEventId !== null) sink.write(formatReset());
    stream.keepAlive(topic.positions(stream));
  };

  /** @throws Refusal if there are too many streams, or the process is stopping */
  const admit = async (request: StreamRequest): Promise<Entry> => {
    if (isClosed) throw stopping();
    if (entries.size >= parts.maxStreams)
      throw new Refusal('Unavailable', 'This process has reached its limit of open streams. Try again.');
    if (countOf(request.query.workspaceId) >= maxPerWorkspace)
      throw tooManyStreams('A workspace', maxPerWorkspace);
    const entry: Entry = {
      ...{ request, stream: null, hasBegun: false, isLive: false },
      confirmedAt: monotonicMs(),
    };
    entries.add(entry);
    setTimers();
    if ((await counts.add(request.credentialId)) > STREAMS_PER_CREDENTIAL) {
      forget(entry);
      throw tooManyStreams('A token', STREAMS_PER_CREDENTIAL);
    }
    if (isClosed) {
      forget(entry);
      throw stopping();
    }
    return entry;
  };
  const startStream = (entry: Entry, sink: StreamSink) => {
    const { query } = entry.request;
    const stream = createStream({
      ...parts,
      query,
      sink,
      idOf: (positions: Positions) => ids.idOf(query, positions),
      payloadsOf: payloads.read,
      reserve: (bytes) => budget.reserve(query.workspaceId, bytes),
      maxBufferedBytes: () => waitingLimit(entries.size),
      onEnd: (reason) => remove(entry, reason),
    });
    entry.stream = stream;
    if (isClosed) return stream.end('shutdown');
    join(entry, stream, sink).catch(() => stream.end('shutdown'));
  };

  return {
    async open(request) {
      const entry = await admit(request);
      return { start: (sink) => startStream(entry, sink), close: () => remove(entry, 'client') };
    },
    size: () => [...entries].filter(({ isLive }) => isLive).length,
    async close() {
      isClosed = true;
      for (const { stream } of [...entries]) stream?.end('shutdown');
      await Promise.all([...Object.values(topics).map((topic) => topic.close()), counts.close()]);
    },
  };
}

/** Bytes that may wait to be written to each of so many streams. */
function waitingLimit(streams: number): number {
  return Math.min(MAX_WAITING_BYTES, Math.max(MIN_WAITING_BYTES, MAX_WAITING_BYTES_OF_ALL / streams));
}

const stopping = () => new Refusal('Unavailable', 'This process is stopping. Try again.');

function tooManyStreams(owner: 'A token' | 'A workspace', most: number): Refusal {
  const place = owner === 'A token' ? '' : ' per process';
  return new Refusal('TooManyStreams', `${owner} may have ${most} open streams${place}. Close one first.`);
}
