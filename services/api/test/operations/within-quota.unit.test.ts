import { NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';
import { withinQuota } from '../../src/operations/within-quota.js';
import { type HeldPlace, UndecidedPlace } from '../../src/ports/places.js';

const QUOTA = 3;

/** What is known and stored when an endpoint is created. */
interface World {
  readonly live: number;
  readonly ahead?: readonly string[];
  /** Those ahead that are stored. */
  readonly stored?: number;
  readonly atMost?: number | null;
  readonly own?: number;
}

/** Creates an endpoint, and returns the numbers of rows that were counted. */
async function create({ live, ahead = [], stored = 0, atMost = null, own }: World): Promise<number[]> {
  const counted: number[] = [];
  const place: HeldPlace = { ahead, atMost, counted: (rows) => void counted.push(rows) };
  const endpoints = { countLive: async () => live, countStored: async () => stored };
  const tx = {
    workspaces: { ownQuotas: async () => (own === undefined ? {} : { endpoints: own }) },
    endpoints,
    tokens: endpoints,
  };
  await withinQuota(
    {
      places: { hold: (_, creation) => creation(place) },
      quotas: { endpoints: QUOTA, tokens: 100 },
    },
    { id: 'new', workspaceId: 'ws', kind: 'endpoints' },
    (ensurePlace) => ensurePlace(tx as never, NOON),
  );
  return counted;
}

async function failureOf(world: World): Promise<unknown> {
  return create(world).then(
    () => null,
    (err) => err,
  );
}

describe('withinQuota', () => {
  it('creates the last row of a quota, and no more', async () => {
    expect(await create({ live: QUOTA - 1 })).to.deep.equal([QUOTA - 1]);
    const refusal = await failureOf({ live: QUOTA });
    expect(refusal).to.be.instanceOf(Refusal).and.include({ tag: 'TooManyEndpoints' });
  });

  it('applies the quota of the workspace, if it has its own, even if that is 0', async () => {
    expect(await failureOf({ live: QUOTA, own: QUOTA + 1 })).to.equal(null);
    expect(await failureOf({ live: 1, own: 1 })).to.be.instanceOf(Refusal);
    expect(await failureOf({ live: 0, own: 0 })).to.be.instanceOf(Refusal);
  });

  it('counts no rows only while fewer than the quota can exist', async () => {
    expect(await create({ live: QUOTA - 1, atMost: QUOTA - 1 })).to.deep.equal([]);
    expect(await create({ live: QUOTA - 1, atMost: QUOTA })).to.deep.equal([QUOTA - 1]);
    expect(await failureOf({ live: QUOTA, atMost: QUOTA })).to.be.instanceOf(Refusal);
  });

  it('is undecided while rows ahead may take the last place', async () => {
    const one = { live: QUOTA - 1, ahead: ['other'] };
    expect(await failureOf(one)).to.be.instanceOf(UndecidedPlace);
    expect(await failureOf({ ...one, stored: 1 }), 'which is among the live ones').to.equal(null);
    expect(await failureOf({ live: QUOTA - 2, ahead: ['other'] })).to.equal(null);
    const two = { live: QUOTA - 1, ahead: ['other', 'another'] };
    expect(await failureOf({ ...two, stored: 1 })).to.be.instanceOf(UndecidedPlace);
  });
});
