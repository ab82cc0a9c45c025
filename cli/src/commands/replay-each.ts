import type { CommandContext } from '../context/cli.js';
import { EXIT_CODES, type ExitCode } from '../context/exit-codes.js';
import { explainError, printExplanation } from '../context/explain-error.js';

/** Failures that concern one id. Others would recur for every id. */
const OF_ONE_ID: ReadonlySet<ExitCode> = new Set([
  EXIT_CODES.refused,
  EXIT_CODES.notFound,
  EXIT_CODES.misused,
]);

/**
 * Replays deliveries one by one. A refused one does not prevent the others from being sent. After a failure that does not
 * concern one id, the error names the ids that were not tried.
 *
 * @returns the exit code of the first failure
 */
export async function replayEach(
  { connect, output, terminal }: CommandContext,
  ids: readonly string[],
): Promise<ExitCode> {
  const { client } = await connect();
  let firstFailure: ExitCode = EXIT_CODES.succeeded;
  for (const [index, deliveryId] of ids.entries()) {
    const init = { params: { path: { deliveryId } } };
    try {
      const sent = await client.post('/webhooks/deliveries/{deliveryId}/replay', init);
      output.one(sent, () => [`${deliveryId} is sent again as ${sent.deliveryId}`]);
    } catch (error) {
      if (ids.length === 1) throw error;
      const explanation = explainError(error);
      terminal.printError(`${deliveryId} is not sent again:`);
      printExplanation(terminal, explanation);
      if (firstFailure === EXIT_CODES.succeeded) firstFailure = explanation.exitCode;
      if (OF_ONE_ID.has(explanation.exitCode)) continue;
      const left = ids.slice(index + 1);
      if (left.length > 0) terminal.printError(`Not tried: ${left.join(' ')}`);
      break;
    }
  }
  return firstFailure;
}
