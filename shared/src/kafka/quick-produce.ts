import { replaceExported } from '../runtime/client-internals.js';
import { encodeProduce, GZIP, type ProduceRequest } from './encode-produce.js';

const REQUEST = { module: 'kafkajs/src/protocol/requests/produce/v3/request.js', methods: {} };
const USERS = ['v4', 'v5'].map((version) => `kafkajs/src/protocol/requests/produce/${version}/request.js`);

export type ProduceArguments = ProduceRequest & {
  readonly transactionalId?: string | null;
  /** A number, or an object of 64 bits. */
  readonly producerId?: unknown;
};

/** The form in which the client expects an encoded request. */
interface Encoded {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

type CreateRequest = (args: ProduceArguments) => { readonly encode: () => Promise<Encoded> };

const NO_COMPRESSION = 0;
const NO_PRODUCER = -1;

/**
 * Replaces the client's encoding of produce requests, which makes a buffer of 512 bytes for each record and each header, and
 * copies the records seven times.
 *
 * @throws UnknownInternals if the client is not as expected
 */
replaceExported<CreateRequest>(REQUEST, USERS, (usual) => (args) => {
  if (!isPlain(args)) return usual(args);
  const encode = async (): Promise<Encoded> => {
    const buffer = encodeProduce(args, Date.now());
    return { buf: buffer, buffer };
  };
  return { ...usual(args), encode };
});

/** Whether our own encoding covers everything in a request, as it does for all requests of the publisher. */
export function isPlain(args: ProduceArguments): boolean {
  const { transactionalId = null, producerId = NO_PRODUCER, compression = NO_COMPRESSION, topicData } = args;
  if (transactionalId !== null || Number(producerId) !== NO_PRODUCER || compression > GZIP) return false;
  return topicData.every(({ partitions }) =>
    partitions.every(({ messages }) => messages.every(({ timestamp }) => timestamp == null)),
  );
}
