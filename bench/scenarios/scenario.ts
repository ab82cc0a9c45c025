import type { Bench } from '../bench.js';
import type { Row } from '../report/row.js';

/** One question, answered by a few measurements. */
export interface Scenario {
  readonly name: string;
  /** What is asked, for the document. */
  readonly about: string;
  /** Makes all measurements once. */
  readonly run: (bench: Bench) => Promise<Row[]>;
}
