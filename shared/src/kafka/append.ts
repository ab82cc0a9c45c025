import kafkajs, { type Message, type TopicMessages } from 'kafkajs';
import { NotAppended, RecordRefused } from '../ports/queue.js';
import { atOnce } from '../runtime/at-once.js';
import { retry } from '../runtime/retry.js';
import { sleep } from '../runtime/sleep.js';

/** A message and its topic, with prefix. */
export interface Addressed {
  readonly topic: string;
  readonly message: Message;
}

/** Messages of one topic-partition. */
export interface Group {
  readonly key: string;
  readonly messages: readonly Addressed[];
}

/** Messages that are not known to be appended, and why. */
export interface Failure {
  readonly group: Group;
  readonly error: unknown;
}

/** Resolves to the messages that were not appended. Rejects with `RecordRefused` if the whole batch fails because of a record. */
export type AppendMost = (messages: readonly Addressed[]) => Promise<readonly Failure[]>;

/** Tries once to append. If it succeeds, all are appended; if not, any may be. */
export type Append = (topicMessages: TopicMessages[]) => Promise<unknown>;

export type Divide = (messages: readonly Addressed[]) => readonly Group[];

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
const MAX_TRIES = 6;
/** No try after the second begins later than this after the first, in milliseconds. A hanging leader takes as long for each. */
const MAX_MS = 30_000;
/** Maximum number of partitions that are tried at the same time. */
const MAX_AT_ONCE = 64;

/**
 * Appends messages in several tries.
 *
 * The first try appends the whole batch. Of a batch that fails, each partition is tried on its own: which of them are appended
 * is not known otherwise, because the client reports the first error of any broker, and a broker's response the first one of any
 * partition. The tries are not the client's: its retries send nothing to a broker that has acknowledged its part before,
 * although the broker may lead further partitions by then, and report success.
 */
export function appendInTries(append: Append, divide: Divide): AppendMost {
  const tryAgain = async (group: Group, startedMs: number): Promise<readonly Failure[]> => {
    const topicMessages = byTopic(group.messages);
    try {
      await retry(() => append(topicMessages), {
        firstPauseMs: 2 * FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        onFailure(error, failures) {
          const isLast = failures + 1 >= MAX_TRIES || performance.now() - startedMs >= MAX_MS;
          if (isLast || !mayRetry(error)) throw error;
        },
      });
      return [];
    } catch (error) {
      return [{ group, error }];
    }
  };
  return async (messages) => {
    const startedMs = performance.now();
    const topics = byTopic(messages);
    const failed = await append(topics).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    if (failed === null) return [];
    const { error } = failed;
    if (isRefusal(error)) throw refusalOr(error);
    const groups = divide(messages);
    // Any other error that lasts, such as a missing right, may concern only one of several topics.
    if (!mayRetry(error) && topics.length === 1) return groups.map((group) => ({ group, error }));
    await sleep(FIRST_PAUSE_MS);
    const failures: (readonly Failure[])[] = [];
    await atOnce(groups.entries(), MAX_AT_ONCE, async ([index, group]) => {
      failures[index] = await tryAgain(group, startedMs);
    });
    return failures.flat();
  };
}

/** Appends all messages as the port `Publish` describes. */
export async function appendAll(appendMost: AppendMost, messages: readonly Addressed[]): Promise<void> {
  const failures = await appendMost(messages);
  if (failures.length > 0) throw errorOf(failures, messages);
}

/** Divides messages by their partitions. @param partitionOf null if the partition is not known */
export function divideBy(partitionOf: (topic: string, key: Message['key']) => number | null): Divide {
  return (messages) => {
    const keyOf = ({ topic, message: { key } }: Addressed) => `${topic}/${partitionOf(topic, key)}`;
    return [...Map.groupBy(messages, keyOf)].map(([key, group]) => ({ key, messages: group }));
  };
}

export function byTopic(messages: readonly Addressed[]): TopicMessages[] {
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

function errorOf(failures: readonly Failure[], messages: readonly Addressed[]): unknown {
  const errors = failures.map(({ error }) => refusalOr(error));
  const refusal = errors.find((error) => error instanceof RecordRefused);
  if (refusal !== undefined) return refusal;
  const left = new Set(failures.flatMap(({ group }) => group.messages));
  const [cause] = errors;
  if (left.size === messages.length) return cause;
  const indices = messages.flatMap((message, index) => (left.has(message) ? [index] : []));
  return new NotAppended(new Set(indices), { cause });
}

/** Whether a record is at fault. */
export function isRefusal(error: unknown): boolean {
  return refusalOr(error) instanceof RecordRefused;
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
