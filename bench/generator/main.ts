import { serve } from '../processes/remote.js';
import { type Generator, type GeneratorSetup, generator } from './generator.js';
import type { Plan, Published } from './plan.js';

/** What the generator's process can be asked. */
export type GeneratorCalls = {
  connect(setup: GeneratorSetup): Promise<void>;
  run(plan: Plan): Promise<Published>;
  enough(): void;
  arrived(deliveries: number): void;
  /** Events so far for each workspace, by its index. */
  tally(): number[];
  save(file: string): void;
};

let connected: Generator | null = null;

function needed(): Generator {
  if (connected === null) throw new Error('is not connected yet');
  return connected;
}

serve({
  async connect(setup) {
    connected = await generator(setup);
  },
  run: (plan) => needed().run(plan),
  enough: () => needed().enough(),
  arrived: (deliveries) => needed().arrived(deliveries),
  tally: () => needed().tally(),
  save: (file) => needed().save(file),
} satisfies GeneratorCalls);
