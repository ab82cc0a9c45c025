import { readFileSync } from 'node:fs';
import { DECLARATION as api } from '@postrider/api/config';
import { DECLARATION as dispatcher } from '@postrider/dispatcher/config';
import { DECLARATION as dlqConsumer } from '@postrider/dlq-consumer/config';
import { DECLARATION as janitor } from '@postrider/janitor/config';
import { CATALOGUE, TOPICS } from '@postrider/shared/runtime/common-config';
import { expect } from 'chai';

describe('operating guide', () => {
  const guide = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  const listed = [...guide.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  const declared = Object.keys({
    ...api,
    ...dispatcher,
    ...dlqConsumer,
    ...janitor,
    ...TOPICS,
    ...CATALOGUE,
  });

  it('lists every variable that a service or a migration reads, and no other', () => {
    expect(listed.toSorted()).to.deep.equal(declared.toSorted());
  });
});
