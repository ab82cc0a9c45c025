import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { estimateJsonMemory } from '../../src/runtime/json-memory.js';
import type { MemoryOfShapes, TextsOfShapes } from './measure-memory.js';

const COPIES = 300;

function list<Item>(size: number, item: (index: number) => Item): readonly Item[] {
  return Array.from({ length: size }, (_, index) => item(index));
}

/** Values for each copy. */
const SHAPES: Readonly<Record<string, (copy: number) => unknown>> = {
  'a usual event': (copy) => ({
    eventId: `evt_${copy}`.padEnd(30, 'x'),
    workspaceId: `ws_${copy}`.padEnd(23, 'x'),
    occurredAt: '2026-11-30T10:00:00.000Z',
    order: {
      amount: 1234.5,
      currency: 'EUR',
      lines: list(5, (n) => ({
        sku: `sku-${copy}-${n}-of-many`,
        quantity: 2,
        price: 9.99,
        tags: ['a', 'b'],
      })),
      customer: { name: `Customer ${copy} of many`, address: { street: `Street ${copy}`, zip: '12345' } },
    },
  }),
  'a long text': (copy) => ({ text: `${copy}`.padEnd(2_000, 'x') }),
  'empty objects': () => list(1_000, () => ({})),
  'empty arrays': () => list(1_000, () => []),
  'nested arrays': () => list(200, () => [[[[[1]]]]]),
  'small objects': () => list(500, () => ({ a: 1 })),
  integers: () => list(1_000, () => 1),
  'short texts': (copy) => list(1_000, (n) => `text ${copy} ${n}`),
  'keys that no other object has': (copy) =>
    list(100, (n) => Object.fromEntries(list(5, (key) => [`k${copy}-${n}-${key}`, 1] as const))),
};

async function measure(workerData: TextsOfShapes): Promise<MemoryOfShapes> {
  const worker = new Worker(new URL('./measure-memory.js', import.meta.url), { workerData });
  const [memory] = (await once(worker, 'message')) as [MemoryOfShapes];
  return memory;
}

describe('estimated memory of a JSON text', () => {
  const texts = Object.fromEntries(
    Object.entries(SHAPES).map(([name, shape]) => [
      name,
      list(COPIES, (copy) => JSON.stringify(shape(copy))),
    ]),
  );
  let measured: MemoryOfShapes = {};
  before(async () => {
    measured = await measure(texts);
  });

  for (const name of Object.keys(SHAPES))
    it(`is at least 0.4 times and at most three times the actual one of ${name}`, () => {
      const [text = ''] = texts[name] ?? [];
      expect(estimateJsonMemory(Buffer.from(text)) / (measured[name] ?? 0)).to.be.within(0.4, 3);
    });
});
