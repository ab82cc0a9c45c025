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

/** The statuses that concern one delivery: its history has expired, or it cannot be replayed. */
const REFUSALS: ReadonlySet<number> = new Set([404, 409]);

/**
 * Replays deliveries one after the other, oldest first, and reports each with its id. A refusal of one does not stop the
 * others.
 *
 * @throws what concerns all of them, such as a lost connection
 */
export async function replaySelected(
  ids: readonly string[],
  replay: (id: string) => Promise<unknown>,
  report: (result: SelectionResult, id: string) => void,
): Promise<void> {
  let result = NOTHING_YET;
  // Ids are sorted by time.
  for (const id of ids.toSorted()) {
    const tag = await refusalOf(replay(id));
    result = tag === null ? { ...result, replayed: result.replayed + 1 } : countRefusal(result, tag);
    report(result, id);
  }
}

async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof PostriderError && REFUSALS.has(error.status)) return error.tag;
    throw error;
  }
}

function countRefusal({ replayed, refused }: SelectionResult, tag: string): SelectionResult {
  return { replayed, refused: { ...refused, [tag]: (refused[tag] ?? 0) + 1 } };
}
