import { Readable } from 'node:stream';
import { sleep } from '@postrider/shared/runtime/sleep';

/** A body that is written in two parts with a pause between them. Its length is in the headers. */
export function inTwoParts({ headers, body }: Content, pauseMs: number) {
  const bytes = Buffer.from(body);
  const half = Math.floor(bytes.length / 2);
  const parts = async function* () {
    yield bytes.subarray(0, half);
    await sleep(pauseMs);
    yield bytes.subarray(half);
  };
  return {
    headers: { ...headers, 'content-length': String(bytes.length) },
    body: Readable.from(parts(), { objectMode: false }),
  };
}

interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
