import type { Path } from '@postrider/shared/catalogue/json-schema';
import { formatPath } from '@postrider/shared/catalogue/mistake';
import { isRecord } from '@postrider/shared/domain/is-record';
import { shortenPath } from '../domain/shorten-path.js';

/** Maximum number of paths, so that the answer to a batch of 100 events, and each stored answer, stays small. */
const MAX_PATHS = 10;

/**
 * The places of the fields that a projection dropped, like `data.lines[0].color`: at most ten, and long ones are cut.
 *
 * @param kept the projection of `given`, in which unchanged parts are the same values
 */
export function droppedFields(given: unknown, kept: unknown, place: Path): readonly string[] {
  const found: string[] = [];
  collect({ given, kept, place }, found);
  return found;
}

interface Part {
  readonly given: unknown;
  readonly kept: unknown;
  readonly place: Path;
}

function collect({ given, kept, place }: Part, found: string[]): void {
  if (given === kept) return;
  for (const [name, value] of partsOf(given)) {
    if (found.length === MAX_PATHS) return;
    const inside = [...place, name];
    if (isRecord(kept) && !Object.hasOwn(kept, name)) found.push(shortenPath(formatPath(inside)));
    else
      collect(
        { given: value, kept: (kept as Readonly<Record<string, unknown>>)[name], place: inside },
        found,
      );
  }
}

/** A projection keeps the items of lists at their places. */
function partsOf(value: unknown): Iterable<readonly [string | number, unknown]> {
  if (Array.isArray(value)) return value.entries();
  return isRecord(value) ? Object.entries(value) : [];
}
