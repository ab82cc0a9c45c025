import { type ConfigurationError, readConfig } from '@postrider/shared/runtime/config';
import { expect } from 'chai';
import { guardSettings, OUTAGE_GUARD } from '../src/guard-config.js';
import { SETTINGS } from './guard/domains.js';

const settingsWith = (env: Record<string, string>) =>
  guardSettings({ ...readConfig(env, OUTAGE_GUARD), MAX_IN_FLIGHT: SETTINGS.maxInFlight });

const problems = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env, OUTAGE_GUARD);
    return [];
  } catch (error) {
    return (error as ConfigurationError).problems;
  }
};

describe('settings of the outage guard', () => {
  it('have defaults, and are absent if it is off', () => {
    expect(settingsWith({})).to.deep.equal(SETTINGS);
    expect(settingsWith({ OUTAGE_GUARD: 'false' })).to.equal(null);
  });

  for (const [name, value, expected] of [
    ['OUTAGE_GUARD_WINDOW', '2m', { windowMs: 120_000 }],
    ['OUTAGE_GUARD_WINDOW', '5s', { windowMs: 5_000, latestMs: 5_000 }],
    ['OUTAGE_GUARD_LATEST', '1s', { latestMs: 1_000 }],
    ['OUTAGE_GUARD_LATEST', '1m', { latestMs: 60_000 }],
    ['OUTAGE_GUARD_ANSWER_AGE', '1d', { answerAgeMs: 86_400_000 }],
    ['OUTAGE_GUARD_MIN_ORIGINS', '5', { minOrigins: 5 }],
    ['OUTAGE_GUARD_MIN_ORIGINS', '400', { minOrigins: 400 }],
    ['OUTAGE_GUARD_MIN_WORKSPACES', '20', { minWorkspaces: 20 }],
    ['OUTAGE_GUARD_WORKSPACE_SHARE', '0', { workspaceShare: 0 }],
    ['OUTAGE_GUARD_WORKSPACE_SHARE', '0.79', { workspaceShare: 0.79 }],
    ['OUTAGE_GUARD_UNREACHED_FROM', '0.9', { unreachedFrom: 0.9 }],
    ['OUTAGE_GUARD_BASELINE_BELOW', '0.1', { baselineBelow: 0.1 }],
    ['OUTAGE_GUARD_BASELINE_SPAN', '1m', { baselineSpanMs: 60_000 }],
    ['OUTAGE_GUARD_WITHHOLD', '0s', { withholdMs: 0 }],
    ['OUTAGE_GUARD_REACHED_NEEDED', '20', { reachedNeeded: 20 }],
    ['OUTAGE_GUARD_MAX_WITHHELD', '0', { maxWithheld: 0 }],
    ['OUTAGE_GUARD_MAX_WITHHELD', '20000', { maxWithheld: 20_000 }],
    ['OUTAGE_GUARD_WITHHELD_PER_ENDPOINT', '1', { withheldPerEndpoint: 1 }],
    ['OUTAGE_GUARD_WITHHELD_PER_ENDPOINT', '19', { withheldPerEndpoint: 19 }],
    ['OUTAGE_GUARD_TRIAL_INTERVAL', '100ms', { trialEveryMs: 100 }],
    ['OUTAGE_GUARD_CANARIES_NEEDED', '1', { canariesNeeded: 1 }],
    ['OUTAGE_GUARD_CANARIES_NEEDED', '5', { canariesNeeded: 5 }],
    ['OUTAGE_GUARD_RAMP', '1m', { rampMs: 60_000 }],
    ['OUTAGE_GUARD_REFERENCES_HOLD', '10m', { referencesHoldMs: 600_000 }],
  ] as const)
    it(`are changed by ${name}=${value}`, () =>
      expect(settingsWith({ [name]: value })).to.deep.equal({ ...SETTINGS, ...expected }));

  for (const [name, ...values] of [
    ['OUTAGE_GUARD_LATEST', '999ms', '11m'],
    ['OUTAGE_GUARD_ANSWER_AGE', '4m', '25h'],
    ['OUTAGE_GUARD_MIN_ORIGINS', '4', '401'],
    ['OUTAGE_GUARD_MIN_WORKSPACES', '0', '21'],
    ['OUTAGE_GUARD_WORKSPACE_SHARE', '1.1', '-0.1'],
    ['OUTAGE_GUARD_BASELINE_SPAN', '59s', '61m'],
    ['OUTAGE_GUARD_REACHED_NEEDED', '0', '51'],
    ['OUTAGE_GUARD_MAX_WITHHELD', '-1', '20001'],
    ['OUTAGE_GUARD_WITHHELD_PER_ENDPOINT', '0', '20'],
    ['OUTAGE_GUARD_TRIAL_INTERVAL', '99ms', '61s'],
    ['OUTAGE_GUARD_CANARIES_NEEDED', '0', '6'],
    ['OUTAGE_GUARD_REFERENCES_HOLD', '999ms', '11m'],
  ] as const)
    it(`are refused by name outside of the bounds of ${name}`, () => {
      for (const value of values) {
        const [problem, ...others] = problems({ [name]: value });
        expect(problem).to.match(new RegExp(`^${name}: "${value}" is not `));
        expect(others).to.deep.equal([]);
      }
    });

  for (const name of ['OUTAGE_GUARD_UNREACHED_FROM', 'OUTAGE_GUARD_BASELINE_BELOW'])
    it(`are refused if ${name} is 0, with the variable that switches the guard off`, () => {
      const [problem, ...others] = problems({ [name]: '0' });
      expect(problem).to.match(new RegExp(`^${name}: is 0, .*: OUTAGE_GUARD=false switches the guard off`));
      expect(others).to.deep.equal([]);
    });

  const TEN_MINUTES = { OUTAGE_GUARD_WINDOW: '10m' };
  for (const [env, expected] of [
    [
      { ...TEN_MINUTES, OUTAGE_GUARD_ANSWER_AGE: '9m' },
      /^OUTAGE_GUARD_ANSWER_AGE: is shorter than OUTAGE_GUARD_WINDOW/,
    ],
    [
      { ...TEN_MINUTES, OUTAGE_GUARD_BASELINE_SPAN: '9m' },
      /^OUTAGE_GUARD_BASELINE_SPAN: is shorter than OUTAGE_GUARD_WINDOW/,
    ],
    [
      { OUTAGE_GUARD_WORKSPACE_SHARE: '0.8', OUTAGE_GUARD_MIN_WORKSPACES: '2' },
      /^OUTAGE_GUARD_WORKSPACE_SHARE: is not below OUTAGE_GUARD_UNREACHED_FROM/,
    ],
    [
      { OUTAGE_GUARD_REACHED_NEEDED: '21' },
      /^OUTAGE_GUARD_REACHED_NEEDED: is more than OUTAGE_GUARD_MIN_ORIGINS/,
    ],
  ] as const)
    it(`are refused if they contradict each other: ${JSON.stringify(env)}`, () => {
      const [problem, ...others] = problems(env);
      expect(problem).to.match(expected);
      expect(others).to.deep.equal([]);
    });

  it('let domains count, and be compared, for no longer than the window', () => {
    const env = { ...TEN_MINUTES, OUTAGE_GUARD_ANSWER_AGE: '10m', OUTAGE_GUARD_BASELINE_SPAN: '10m' };
    expect(settingsWith(env)).to.include({ answerAgeMs: 600_000, baselineSpanMs: 600_000 });
  });

  it('test every second whether receivers are reached again, without public destinations, by default', () => {
    const { OUTAGE_GUARD_CANARY_INTERVAL: interval, OUTAGE_GUARD_REFERENCES: references } = readConfig(
      {},
      OUTAGE_GUARD,
    );
    expect({ interval, references }).to.deep.equal({ interval: 1_000, references: [] });
  });

  it('let a single workspace count for everything', () => {
    const env = { OUTAGE_GUARD_MIN_WORKSPACES: '1', OUTAGE_GUARD_WORKSPACE_SHARE: '1' };
    expect(settingsWith(env)).to.include({ minWorkspaces: 1, workspaceShare: 1 });
  });
});
