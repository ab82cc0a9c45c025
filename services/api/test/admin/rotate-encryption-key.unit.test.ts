import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { expect } from 'chai';
import { reencryptAll } from '../../src/admin/rotate-encryption-key.js';
import type { SealedRows } from '../../src/mongo/sealed-rows.js';

const [NEW, OLD] = ['new', 'old'].map((id, index) => ({ id, key: Buffer.alloc(32, index + 1) })) as [
  Key,
  Key,
];
type Key = { readonly id: string; readonly key: Buffer };

describe('re-encryption', () => {
  // Regression: it did not end while a process that had not been restarted encrypted with another key.
  it('ends after some passes though each finds a new row', async () => {
    let [found, replaced] = [0, 0];
    const place: SealedRows = {
      title: 'signing secrets',
      countByKey: async () => new Map([['old', 1]]),
      async encryptedWithOtherKey() {
        found += 1;
        if (found > 100) throw new Error('it does not end');
        const id = `row ${found}`;
        const boxes = [{ path: 'secret', sealed: createSecretBox([OLD]).seal('secret', id) }];
        return [{ id, workspaceId: null, boxes }];
      },
      async replace() {
        replaced += 1;
        return true;
      },
    };
    await reencryptAll(place, {
      active: 'new',
      box: createSecretBox([NEW, OLD]),
      record: async () => {},
      terminal: { print() {}, printError() {} },
    });
    expect(replaced).to.equal(5);
  });
});
