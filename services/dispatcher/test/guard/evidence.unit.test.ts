import { expect } from 'chai';
import { createEvidenceStore } from '../../src/guard/evidence.js';

const ANSWER_AGE = 10_000;
const WINDOW = 1_000;
const evidenceOf = (origin: string, reach: 'answered' | 'unreached' | 'unclear') => ({
  origin: `https://${origin}`,
  workspaceId: 'ws',
  reach,
  durationMs: 50,
});

describe('evidence', () => {
  it('has a domain that answered recently as long as an answer counts', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    evidence.observe(evidenceOf('a.test', 'answered'), 0);
    evidence.observe(evidenceOf('b.test', 'unreached'), 0);
    expect(evidence.knownDomains(ANSWER_AGE)).to.equal(1);
    expect(evidence.knownDomains(ANSWER_AGE + 1)).to.equal(0);
  });

  it('forgets a domain whose answer is old, although another one answered before it and again after it', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    for (const [origin, at] of [
      ['a.test', 0],
      ['b.test', 500],
      ['a.test', 1_000],
    ] as const)
      evidence.observe(evidenceOf(origin, 'answered'), at);
    expect(evidence.knownDomains(ANSWER_AGE + 500)).to.equal(2);
    expect(evidence.knownDomains(ANSWER_AGE + 501)).to.equal(1);
  });

  it('has a domain that answers all the time for less than a second too short', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    for (let at = 0; at < 2_500; at += 300) evidence.observe(evidenceOf('a.test', 'answered'), at);
    expect(evidence.knownDomains(2_400 - 999 + ANSWER_AGE)).to.equal(1);
    expect(evidence.knownDomains(2_400 + ANSWER_AGE + 1)).to.equal(0);
  });

  it('shows no failure of a domain that never answered, or not recently', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    evidence.observe(evidenceOf('a.test', 'answered'), 0);
    evidence.observe(evidenceOf('b.test', 'unreached'), ANSWER_AGE);
    evidence.observe(evidenceOf('a.test', 'unreached'), ANSWER_AGE);
    const domains = () => evidence.tried(ANSWER_AGE, WINDOW).map(({ domain }) => domain);
    expect(domains()).to.deep.equal(['a.test']);
    expect(evidence.tried(ANSWER_AGE + 1, WINDOW)).to.deep.equal([]);
  });

  it('shows the domains that were tried within the window', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    for (const [origin, at] of [
      ['a.test', 0],
      ['b.test', 1],
    ] as const)
      evidence.observe(evidenceOf(origin, 'answered'), at);
    const domains = (now: number) => evidence.tried(now, WINDOW).map(({ domain }) => domain);
    expect(domains(WINDOW)).to.deep.equal(['b.test', 'a.test']);
    expect(domains(WINDOW + 1)).to.deep.equal(['b.test']);
    evidence.forgetTries();
    expect(domains(WINDOW)).to.deep.equal([]);
    expect(evidence.knownDomains(WINDOW)).to.equal(2);
  });

  it('takes a domain for unreached only if all of its origins are', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    for (const origin of ['x.a.test', 'y.a.test']) evidence.observe(evidenceOf(origin, 'answered'), 100);
    evidence.observe(evidenceOf('x.a.test', 'unreached'), 200);
    const [partly] = evidence.tried(200, WINDOW);
    expect(partly).to.deep.include({ domain: 'a.test', unreached: false, reachedAt: 50 });
    evidence.observe(evidenceOf('y.a.test', 'unreached'), 300);
    const [wholly] = evidence.tried(300, WINDOW);
    expect(wholly).to.deep.include({ unreached: true, reachedAt: 50 });
    evidence.observe(evidenceOf('x.a.test', 'answered'), 400);
    evidence.observe(evidenceOf('y.a.test', 'unreached'), 390);
    evidence.observe(evidenceOf('x.a.test', 'answered'), 400);
    const [again] = evidence.tried(400, WINDOW);
    expect(again).to.deep.include({ unreached: false, reachedAt: 350 });
  });

  it('ignores an unclear attempt, and an assumed answer of an origin that it knows', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    evidence.observe(evidenceOf('a.test', 'answered'), 0);
    evidence.observe(evidenceOf('a.test', 'unclear'), 5);
    evidence.assume({ origin: 'https://a.test', workspaceId: 'ws' }, ANSWER_AGE);
    expect(evidence.tried(WINDOW + 1, WINDOW)).to.deep.equal([]);
    expect(evidence.knownDomains(ANSWER_AGE + 1)).to.equal(0);
    evidence.assume({ origin: 'https://b.test', workspaceId: 'ws' }, ANSWER_AGE + 1);
    expect(evidence.knownDomains(ANSWER_AGE + 1)).to.equal(1);
    expect(evidence.tried(ANSWER_AGE + 1, WINDOW), 'which was not tried').to.deep.equal([]);
  });

  it('shows domains that were tried before an origin was assumed to have answered', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    evidence.observe(evidenceOf('a.test', 'answered'), 100);
    evidence.assume({ origin: 'https://b.test', workspaceId: 'ws' }, 150);
    expect(evidence.tried(200, WINDOW).map(({ domain }) => domain)).to.deep.equal(['a.test']);
  });

  it('names an origin to try as soon as one has answered, and none that never did', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    evidence.observe(evidenceOf('a.test', 'unreached'), 0);
    expect(evidence.nextAnsweredOrigin(0)).to.equal(null);
    evidence.observe(evidenceOf('b.test', 'answered'), 0);
    expect([evidence.nextAnsweredOrigin(0), evidence.nextAnsweredOrigin(0)]).to.deep.equal([
      'https://b.test',
      'https://b.test',
    ]);
    evidence.observe(evidenceOf('a.test', 'answered'), 1);
    expect([evidence.nextAnsweredOrigin(1), evidence.nextAnsweredOrigin(1)]).to.have.members([
      'https://a.test',
      'https://b.test',
    ]);
  });

  it('gives other processes one origin of each domain, at most 100, those tried last first', () => {
    const evidence = createEvidenceStore(ANSWER_AGE);
    for (let index = 0; index < 110; index += 1) {
      evidence.observe(evidenceOf(`one.d${index}.test`, 'answered'), index);
      evidence.observe(evidenceOf(`two.d${index}.test`, 'answered'), index);
    }
    evidence.observe(evidenceOf('never.test', 'unreached'), 200);
    const given = evidence.answeredOrigins().map(({ origin }) => origin);
    expect(given).to.have.length(100);
    expect(given.slice(0, 2)).to.deep.equal(['https://two.d109.test', 'https://two.d108.test']);
  });
});
