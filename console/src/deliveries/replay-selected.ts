import { PostriderError } from '@postrider/client';

/** What has happened to the selected deliveries so far. */
export interface SelectionResult {
  readonly replayed: number;
  /** How often each refusal occurred, by its tag. */
  readonly refused: Readonly<Record<string, number>>;
}

export const NOTHING_YET: SelectionResult = { replayed: 0, refused: {} };

export function handled({ replayed, refused }: SelectionResult): number {
  return replayed + Object.values(refused).reduce((sum, count) => sum + count, 0);
}

/**
 * Replays deliveries one after the other, oldest first, and reports each. A refusal of one does not stop the others.
 *
 * @throws what is no refusal, such as a lost connection
 */
export async function replaySelected(
  ids: readonly string[],
  replay: (id: string) => Promise<unknown>,
  report: (result: SelectionResult) => void,
): Promise<void> {
  let result = NOTHING_YET;
  // Ids are sorted by time.
  for (const id of ids.toSorted()) {
    const tag = await refusalOf(replay(id));
    result = tag === null ? { ...result, replayed: result.replayed + 1 } : countRefusal(result, tag);
    report(result);
  }
}

async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof PostriderError && error.status === 409) return error.tag;
    throw error;
  }
}

function countRefusal({ replayed, refused }: SelectionResult, tag: string): SelectionResult {
  return { replayed, refused: { ...refused, [tag]: (refused[tag] ?? 0) + 1 } };
}
