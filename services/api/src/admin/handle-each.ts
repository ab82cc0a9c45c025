import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import type { EnableReport, Handled } from './enable-report.js';

interface HandleParts {
  readonly endpointIds: AsyncIterable<string>;
  /** @returns null if there is nothing to do */
  readonly handle: (endpointId: string) => Promise<Handled | null>;
  readonly report: EnableReport;
  /** Counts what is done. */
  readonly add: (count: number) => void;
}

/**
 * Handles endpoints one after the other. One that is damaged, or that the database refuses to change, does not affect the others;
 * without a database it ends. What is committed is reported in any case.
 *
 * @returns how many endpoints failed
 */
export async function handleEach({ endpointIds, handle, report, add }: HandleParts): Promise<number> {
  const handleOne = async (endpointId: string) => {
    try {
      const handled = await handle(endpointId);
      if (handled !== null) report.handled(handled);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      report.failed(endpointId, error);
    }
  };
  try {
    for await (const endpointId of endpointIds) {
      await handleOne(endpointId);
      add(1);
    }
  } catch (error) {
    report.end();
    throw error;
  }
  return report.end();
}
