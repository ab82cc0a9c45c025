import kafkajs, { type Message, type TopicMessages } from 'kafkajs';
import { NotAppended, RecordRefused } from '../ports/queue.js';
import { inParallel } from '../runtime/in-parallel.js';
import { pause } from '../runtime/pause.js';
import { retry } from '../runtime/retry.js';

/** A message and its topic, with prefix. */
export interface Addressed {
  readonly topic: string;
  readonly message: Message;
}

interface SendParts {
  /** Tries once to append. If it succeeds, all are appended; if not, any may be. */
  readonly append: (topicMessages: TopicMessages[]) => Promise<unknown>;
  /** Null if the partition is not known. @param topic with prefix */
  readonly partitionOf: (topic: string, key: Message['key']) => number | null;
}

/** A message and its place in the batch. */
interface Placed extends Addressed {
  readonly index: number;
}

/** Messages that are appended together or not, and why they are not. */
interface Failure {
  readonly group: readonly Placed[];
  readonly error: unknown;
}

/** Protocol errors that a record causes; all others are errors of the broker or the network. */
const RECORD_FAULTS = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'CORRUPT_MESSAGE',
]);
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const MOST_TRIES = 6;
/** No try after the second one begins later than this after the first one. A leader that hangs takes as long for each. */
const MOST_MS = 30_000;
/** Partitions that are tried at the same time. */
const MOST_AT_ONCE = 64;

/**
 * Appends messages, in several tries, as the port `Publish` describes.
 *
 * The first try appends the whole batch. Of a batch that fails, each partition is tried on its own: which of them are appended is
 * not known otherwise, because the client reports the first error of any broker, and a broker's response the first one of any
 * partition. The tries are not the client's: its retries send nothing to a broker that has acknowledged its part before, although the
 * broker may lead further partitions by then, and report success.
 */
export function createSend({ append, partitionOf }: SendParts) {
  const partitionKey = ({ topic, message: { key } }: Addressed) => `${topic}/${partitionOf(topic, key)}`;
  /** @returns null if they are appended */
  const tryAgain = async (group: readonly Placed[], startedMs: number): Promise<Failure | null> => {
    const topicMessages = byTopic(group);
    try {
      await retry(() => append(topicMessages), {
        firstPauseMs: 2 * FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        onFailure(error, failures) {
          const isLast = failures + 1 >= MOST_TRIES || performance.now() - startedMs >= MOST_MS;
          if (isLast || !mayRetry(error)) throw error;
        },
      });
      return null;
    } catch (error) {
      return { group, error };
    }
  };
  return async (messages: readonly Addressed[]): Promise<void> => {
    const startedMs = performance.now();
    try {
      await append(byTopic(messages));
      return;
    } catch (error) {
      if (!mayRetry(error)) throw refusalOr(error);
    }
    await pause(FIRST_PAUSE_MS);
    const placed = messages.map((one, index) => ({ ...one, index }));
    const groups = [...Map.groupBy(placed, partitionKey).values()];
    const ended = await inParallel(groups, MOST_AT_ONCE, (group) => tryAgain(group, startedMs));
    const failures = ended.filter((failure) => failure !== null);
    if (failures.length > 0) throw errorOf(failures, messages.length);
  };
}

function byTopic(messages: readonly Addressed[]): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, message } of messages) {
    const entry = topics.get(topic) ?? { topic, messages: [] };
    entry.messages.push(message);
    topics.set(topic, entry);
  }
  return [...topics.values()];
}

/** Whether the client would have tried again. */
function mayRetry(error: unknown): boolean {
  return error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded;
}

/** The error of a batch of so many messages. */
function errorOf(failures: readonly Failure[], messages: number): unknown {
  const errors = failures.map(({ error }) => refusalOr(error));
  const refusal = errors.find((error) => error instanceof RecordRefused);
  if (refusal !== undefined) return refusal;
  const indices = new Set(failures.flatMap(({ group }) => group.map(({ index }) => index)));
  const [cause] = errors;
  return indices.size === messages ? cause : new NotAppended(indices, { cause });
}

/** `RecordRefused` if a record is at fault, otherwise the error itself. */
function refusalOr(error: unknown): unknown {
  const type = protocolErrorOf(error);
  return type !== null && RECORD_FAULTS.has(type) ? new RecordRefused(type, { cause: error }) : error;
}

function protocolErrorOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('type' in cause && typeof cause.type === 'string') return cause.type;
  }
  return null;
}
