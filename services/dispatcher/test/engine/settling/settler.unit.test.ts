import { expect } from 'chai';
import { deferred, settleDown } from '../builders.js';
import { AWAY, aSettler, EVEN, entries, isAbout, nextTurn, ODD, outage, sizes } from './a-settler.js';

describe('settler', () => {
  it('stores an observation immediately when idle and reports its result', async () => {
    const world = aSettler();
    world.addAll(entries(1));
    await settleDown(1);
    expect(world.stored).to.deep.equal([['whe_even_00 0']]);
    expect(world.settled).to.deep.equal([[{ key: 'whe_even_00 0', isStored: true, status: 'delivered' }]]);
  });

  it('batches observations that arrive during a transaction, up to the limit', async () => {
    const world = aSettler();
    const gate = deferred();
    world.gate = () => gate.promise;
    world.addAll(entries(1, EVEN, 'first'));
    await settleDown(2);
    world.addAll(entries(150));
    gate.resolve();
    await settleDown();
    expect(sizes(world.stored)).to.deep.equal([1, 100, 50]);
    expect(sizes(world.settled)).to.deep.equal([1, 100, 50]);
  });

  it('settles each observation of a batch on the state that the previous ones leave', async () => {
    const world = aSettler();
    const twice = entries(1);
    world.addAll([...twice, ...twice]);
    await settleDown();
    expect(world.settled[0]?.map(({ isStored }) => isStored)).to.deep.equal([true, false]);
  });

  it('runs one transaction at a time per lane', async () => {
    const world = aSettler({ maxBatch: 10 });
    world.gate = nextTurn;
    world.addAll(entries(50));
    await settleDown(20);
    expect(sizes(world.stored)).to.deep.equal([10, 10, 10, 10, 10]);
    expect(world.mostRunning).to.equal(1);
  });

  it('runs lanes concurrently and assigns an endpoint always to the same lane', async () => {
    const world = aSettler({ lanes: 2, maxBatch: 10 });
    world.gate = nextTurn;
    world.addAll([...entries(30, EVEN), ...entries(30, ODD)]);
    await settleDown(20);
    expect(world.mostRunning).to.equal(2);
    expect(world.stored.flat()).to.have.length(60);
    for (const batch of world.stored) expect(new Set(batch.map((id) => id.split(' ')[0])).size).to.equal(1);
  });

  it('counts observations as unsettled until they are stored', async () => {
    const world = aSettler();
    const gate = deferred();
    world.gate = () => gate.promise;
    world.addAll(entries(3));
    expect(world.settler.unsettled()).to.equal(3);
    gate.resolve();
    await settleDown();
    expect(world.settled).to.have.length(1);
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('resumes work after it has been idle', async () => {
    const world = aSettler();
    world.addAll(entries(1, EVEN, 'first'));
    await settleDown();
    world.addAll(entries(1, EVEN, 'second'));
    await settleDown();
    expect(world.stored).to.have.length(2);
  });
});

describe('settler with failing transactions', () => {
  it('retries the same batch with growing pauses and passes it on once', async () => {
    const world = aSettler();
    world.breaks = outage(8);
    world.breaksWith = () => AWAY;
    world.addAll(entries(3));
    await settleDown(30);
    expect(sizes(world.begun)).to.deep.equal(Array(9).fill(3));
    expect(world.pauses).to.deep.equal([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    expect(world.settled).to.have.length(1);
    expect(world.settler.unsettled()).to.equal(0);
    expect(world.log.lines).to.deep.equal(Array(8).fill('warn settle.failed'));
    expect([...world.rejected]).to.deep.equal([]);
  });

  it('pauses as at first when it fails again after a success', async () => {
    const world = aSettler({ maxBatch: 1 });
    let calls = 0;
    world.breaks = () => {
      calls += 1;
      return calls % 2 === 1;
    };
    world.breaksWith = () => AWAY;
    world.addAll(entries(3));
    await settleDown(30);
    expect(world.pauses).to.deep.equal([100, 100, 100]);
  });

  it('stores nothing again when an outage begins after some entries were stored one by one', async () => {
    const world = aSettler();
    let calls = 0;
    world.breaks = () => {
      calls += 1;
      return calls === 1 || calls === 3;
    };
    world.breaksWith = () => (calls === 1 ? new Error('refused') : AWAY);
    world.addAll(entries(4));
    await settleDown(30);
    expect(sizes(world.begun)).to.deep.equal([4, 1, 1, 3]);
    expect(world.settled.flat()).to.have.length(4);
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('stores the failure of an endpoint that waits for an entry which is held back', async () => {
    const world = aSettler();
    world.breaks = isAbout('poison 0');
    const first = deferred();
    world.gate = () => first.promise;
    world.addAll([...entries(1, EVEN, 'poison'), ...entries(1, ODD)]);
    await settleDown(2);
    world.failing.add(EVEN);
    world.addAll(entries(1, EVEN, 'failure'));
    first.resolve();
    await settleDown(30);
    expect(world.poisoned).to.deep.equal(['poison 0']);
    expect(world.stored.flat()).to.deep.equal([`${ODD} 0`, 'failure 0']);
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('tries the entries of a failing batch one by one, so that a poison record affects only itself', async () => {
    const world = aSettler();
    world.breaks = isAbout('whe_even_00 1');
    world.addAll(entries(4));
    await settleDown(30);
    expect(world.stored.flat()).to.deep.equal(['whe_even_00 0', 'whe_even_00 2', 'whe_even_00 3']);
    expect(world.poisoned).to.deep.equal(['whe_even_00 1']);
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('finds every poison record at any position of a batch', async () => {
    const world = aSettler();
    const poison = ['whe_even_00 0', 'whe_even_00 3'];
    world.breaks = (batch) => batch.some(({ deliveryId }) => poison.includes(deliveryId));
    world.addAll(entries(4));
    await settleDown(30);
    expect(world.poisoned).to.have.members(poison);
    expect(world.stored.flat()).to.have.length(2);
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('tries the others of a rejected batch at once, without a pause', async () => {
    const world = aSettler();
    world.breaks = isAbout('whe_even_00 1');
    world.addAll(entries(4));
    await settleDown(30);
    expect(world.pauses).to.deep.equal([]);
    expect(sizes(world.begun)).to.deep.equal([4, 1, 1, 1, 1, 1]);
  });

  it('holds an entry back again at once that is rejected alone when it is added again', async () => {
    const world = aSettler();
    const [poison, other] = entries(2);
    world.breaks = isAbout('whe_even_00 0');
    world.addAll([poison!, other!]);
    await settleDown(30);
    world.addAll([poison!]);
    await settleDown(30);
    expect(world.poisoned).to.deep.equal(['whe_even_00 0', 'whe_even_00 0']);
    expect(world.pauses).to.deep.equal([]);
    world.breaks = () => false;
    world.addAll([poison!]);
    await settleDown(30);
    expect(world.stored.flat()).to.include('whe_even_00 0');
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('keeps an entry that was held back before when an outage begins while it is tried alone', async () => {
    const world = aSettler();
    const [poison, other] = entries(2);
    world.breaks = isAbout('whe_even_00 0');
    world.addAll([poison!, other!]);
    await settleDown(30);
    let call = 0;
    world.breaks = () => {
      call += 1;
      return call <= 2;
    };
    world.breaksWith = () => (call === 1 ? new Error('refused') : AWAY);
    world.addAll([poison!, ...entries(1, EVEN, 'further')]);
    await settleDown(30);
    expect(world.poisoned).to.deep.equal(['whe_even_00 0']);
    expect(world.stored.at(-1)).to.deep.equal(['whe_even_00 0', 'further 0']);
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('drops no entry during an outage of any length', async () => {
    const world = aSettler();
    world.breaks = outage(40);
    world.addAll(entries(4));
    await settleDown(60);
    expect(world.pauses).to.include(1_000);
    expect(Math.max(...world.pauses)).to.equal(1_000);
    expect(world.poisoned).to.deep.equal([]);
    expect(world.stored.flat()).to.have.length(4);
    expect(world.settler.unsettled()).to.equal(0);
  });

  for (const failures of [6, 7, 8]) {
    it(`drops no entry when an outage ends after ${failures} failures, while entries are tried one by one`, async () => {
      const world = aSettler();
      world.breaks = outage(failures);
      world.addAll(entries(4));
      await settleDown(60);
      expect(world.poisoned).to.deep.equal([]);
      expect(world.stored.flat()).to.have.members(entries(4).map(({ job }) => job.message.deliveryId));
      expect(world.settler.unsettled()).to.equal(0);
    });
  }

  // Regression: entries were treated as poison when an outage began while they were tried one by one.
  it('drops no entry when an outage begins while entries are tried one by one', async () => {
    const world = aSettler();
    let call = 0;
    world.breaks = () => {
      call += 1;
      return call !== 6 && call < 15;
    };
    world.breaksWith = () => (call > 6 ? AWAY : new Error('refused'));
    world.addAll(entries(4));
    await settleDown(100);
    expect(world.poisoned).to.deep.equal([]);
    expect(world.stored.flat()).to.have.members(entries(4).map(({ job }) => job.message.deliveryId));
    expect(world.settler.unsettled()).to.equal(0);
  });

  // Regression: the same ones were tried again for ever, and nothing behind them was stored.
  it('finds more poison records than a commit may hold once there is another record behind them', async () => {
    const world = aSettler({ maxBatch: 2 });
    const poison = entries(7, EVEN, 'poison');
    world.breaks = (batch) => batch.some(({ deliveryId }) => deliveryId.startsWith('poison'));
    world.addAll(poison);
    await settleDown(30);
    expect(world.poisoned).to.deep.equal([]);
    world.addAll(entries(1));
    await settleDown(60);
    expect(world.stored.flat()).to.deep.equal(['whe_even_00 0']);
    expect(world.poisoned).to.have.members(poison.map(({ job }) => job.message.deliveryId));
    expect(world.settler.unsettled()).to.equal(0);
  });

  it('commits as many as usual after rejections have ended, and while the database is away', async () => {
    const world = aSettler({ maxBatch: 2 });
    const isRejected = outage(3);
    world.breaks = isRejected;
    world.addAll(entries(6));
    await settleDown(30);
    expect(sizes(world.stored)).to.deep.equal([4, 2]);
    const isAway = outage(3);
    world.breaks = isAway;
    world.breaksWith = () => AWAY;
    world.addAll(entries(4));
    await settleDown(30);
    expect(sizes(world.begun).slice(-5)).to.deep.equal([2, 2, 2, 2, 2]);
  });

  it('drops a poison record that was alone once another record is stored', async () => {
    const world = aSettler();
    world.breaks = isAbout('poison 0');
    world.addAll(entries(1, EVEN, 'poison'));
    await settleDown(20);
    expect(world.poisoned).to.deep.equal([]);
    expect([...world.rejected]).to.deep.equal(['poison 0']);
    expect(world.settler.unsettled()).to.equal(1);
    world.addAll(entries(1));
    await settleDown(30);
    expect(world.poisoned).to.deep.equal(['poison 0']);
    expect(world.stored.flat()).to.deep.equal(['whe_even_00 0']);
    expect(world.settler.unsettled()).to.equal(0);
  });
});
