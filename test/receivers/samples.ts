import { resolve } from 'node:path';

/** How a sample receiver is made ready and started, and how it is broken to prove that the test notices. */
export interface Sample {
  readonly name: string;
  /** Folder with the sample's files. */
  readonly folder: string;
  /** Programs that must be on the PATH. */
  readonly needs: readonly string[];
  /** Commands that install it in a copy of the folder. */
  readonly install: readonly (readonly string[])[];
  /** The command that starts it there. It prints `handled <webhook-id>` for each delivery. */
  readonly start: readonly string[];
  readonly sabotage: Readonly<Record<Sabotage, Replacement>>;
}

/** What is left out of a sample. */
export const SABOTAGES = ['verification', 'raw_body', 'de_duplication'] as const;
export type Sabotage = (typeof SABOTAGES)[number];

/** Texts of one file, each with what replaces it. */
interface Replacement {
  readonly file: string;
  readonly texts: readonly (readonly [text: string, by: string])[];
}

const DOCS = resolve(import.meta.dirname, '../../../docs/receiving');

const KEYLESS = [
  ['id TEXT PRIMARY KEY', 'id TEXT'],
  [' ON CONFLICT (id) DO NOTHING', ''],
] as const;

const nodeSample = (file: string): Sample => ({
  name: `Node ${file}`,
  folder: resolve(DOCS, 'node'),
  needs: ['node'],
  install: [],
  start: ['node', file],
  sabotage: {
    verification: { file, texts: [['webhook.verify(body, request.headers)', 'JSON.parse(body)']] },
    raw_body: { file, texts: [['verify(body,', 'verify(JSON.stringify(JSON.parse(body)),']] },
    de_duplication: { file: 'inbox.mjs', texts: KEYLESS },
  },
});

export const SAMPLES: readonly Sample[] = [nodeSample('bare.mjs'), nodeSample('express.mjs')];
