import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

/** One byte more than a body may have. */
const TOO_LARGE = Buffer.alloc(1_024 * 1_024 + 1);
/** How long the receiver may take, in milliseconds. */
const ANSWER_MS = 5_000;

/** Sends a body that is too large and does not end. @returns the status of the answer; null if none comes */
export async function answerBeforeEnd(port: number): Promise<number | null> {
  const sent = request({ host: '127.0.0.1', port, path: '/hook', method: 'POST' });
  const answered = once(sent, 'response', { signal: AbortSignal.timeout(ANSWER_MS) });
  sent.on('error', () => {}); // The receiver closes the connection.
  sent.write(TOO_LARGE);
  try {
    const [{ statusCode = null }] = (await answered) as [IncomingMessage];
    return statusCode;
  } catch {
    return null;
  } finally {
    sent.destroy();
  }
}
