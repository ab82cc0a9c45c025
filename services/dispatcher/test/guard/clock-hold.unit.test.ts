import { expect } from 'chai';
import { createClockHold } from '../../src/guard/clock-hold.js';
import { aClock, aLog } from '../engine/builders.js';

describe('hold for the clock', () => {
  it('holds while the clocks differ by more than 60 s in either direction, and reports each check', () => {
    const log = aLog();
    const clock = aClock();
    const wall = clock.now().getTime();
    const sut = createClockHold({ clock, wallMs: () => wall, log });
    const after = (ms: number) => {
      clock.advance(ms);
      return { resumes: sut.check(), holds: sut.isHolding() };
    };
    expect(after(60_000)).to.deep.equal({ resumes: false, holds: false });
    expect(after(1)).to.deep.equal({ resumes: false, holds: true });
    expect(after(0)).to.deep.equal({ resumes: false, holds: true });
    expect(after(-120_002)).to.deep.equal({ resumes: false, holds: true });
    expect(after(1)).to.deep.equal({ resumes: true, holds: false });
    expect(log.lines).to.deep.equal([
      'error clock.holding',
      'error clock.holding',
      'error clock.holding',
      'warn clock.agreed',
    ]);
  });

  it('reports whether the clocks have moved by more than 1 s since they were compared', () => {
    const clock = aClock();
    const wall = clock.now().getTime();
    const sut = createClockHold({ clock, wallMs: () => wall, log: aLog() });
    const hasMoved = (ms: number) => {
      clock.advance(ms);
      return sut.hasMoved();
    };
    expect([hasMoved(1_000), hasMoved(1)]).to.deep.equal([false, true]);
    sut.check();
    expect([hasMoved(-1_000), hasMoved(-1)]).to.deep.equal([false, true]);
  });
});
