import { expect } from 'chai';
import fc from 'fast-check';
import { type Attempt, type DeliverySummary, isTerminal } from '../../src/domain/delivery.js';
import type { Endpoint } from '../../src/domain/endpoint.js';
import { needsNoTransaction } from '../../src/domain/needs-no-transaction.js';
import { settle } from '../../src/domain/settle.js';
import { settleAll } from '../../src/domain/settle-all.js';
import { later } from '../../src/testing/builders.js';
import {
  DURATION_MS,
  everything,
  observationsOnly,
  opening,
  play,
  STEP_MS,
  type Story,
} from '../../src/testing/settle-script.js';

const holds = (check: (story: Story) => void) =>
  fc.assert(
    fc.property(everything, (script) => check(play(script))),
    { numRuns: 40 },
  );

const isBookkeeping = ({ failureReason }: Attempt) =>
  failureReason !== null &&
  ['endpoint_disabled', 'endpoint_deleted', 'retries_exhausted'].includes(failureReason);
const attemptsOf = (story: Story, deliveryId: string) =>
  story.attempts.filter((attempt) => attempt.deliveryId === deliveryId);

/** The expected fields of a row, derived from its attempts alone. */
function foldOf(fresh: DeliverySummary, attempts: readonly Attempt[]) {
  const last = attempts.filter((attempt) => !isBookkeeping(attempt)).at(-1);
  const end = attempts.at(-1);
  const made = last?.ordinal ?? 0;
  const failedAt = end?.status === 'failed' ? later(DURATION_MS, end.attemptedAt) : null;
  const nextAttemptAt = failedAt && made < 7 ? later(Math.min(made, 6) * STEP_MS, failedAt) : null;
  return {
    status: end?.status ?? 'pending',
    failureReason: end?.failureReason ?? null,
    attempts: made,
    nextAttemptAt,
    dueAt: end === undefined ? fresh.dueAt : (nextAttemptAt ?? (failedAt && later(60_000, failedAt))),
    lastAttempt: last === undefined ? null : evidenceOf(last),
  };
}

function evidenceOf(attempt: Attempt) {
  const { ordinal, httpStatus, failureReason, responseBody, attemptedAt, durationMs } = attempt;
  return { ordinal, httpStatus, failureReason, responseBody, attemptedAt, durationMs };
}

describe('settle, for any sequence of observations, operators and dead letters', () => {
  it('stores attempts 1, 2, 3 … without a gap, at most seven and one bookkeeping record, which is the last', () => {
    holds((story) => {
      for (const id of story.deliveries.keys()) {
        const attempts = attemptsOf(story, id);
        expect(attempts.map(({ ordinal }) => ordinal)).to.deep.equal(attempts.map((_, index) => index + 1));
        const records = attempts.filter(isBookkeeping);
        expect(attempts.length - records.length).to.be.at.most(7);
        expect(records)
          .to.deep.equal(attempts.slice(attempts.length - records.length))
          .and.have.length.below(2);
      }
    });
  });

  it('computes every summary from its attempts', () => {
    holds((story) => {
      for (const [id, fresh] of opening().deliveries) {
        expect(story.deliveries.get(id)).to.deep.include(foldOf(fresh, attemptsOf(story, id)));
      }
    });
  });

  it('never changes a terminal row', () => {
    holds((story) => {
      for (const { before, after } of story.moves) if (isTerminal(before)) expect(after).to.equal(before);
    });
  });

  it('sets a due time exactly while the row is not terminal', () => {
    holds((story) => {
      for (const row of story.deliveries.values()) expect(row.dueAt === null).to.equal(isTerminal(row));
    });
  });

  it('links every change of a streak to the previous one', () => {
    holds((story) => {
      for (const [id, first] of opening().endpoints) {
        let { streakVersion: version, consecutiveFailures: streak } = first;
        for (const change of story.chain.get(id) ?? []) {
          expect(change).to.include({ version: version + 1, before: streak });
          expect(change.after).to.be.oneOf([0, streak + 1]);
          ({ version, after: streak } = change);
        }
        expect(story.endpoints.get(id)).to.include({ streakVersion: version, consecutiveFailures: streak });
      }
    });
  });

  it('sets failingSince exactly while the streak is not 0', () => {
    holds((story) => {
      for (const endpoint of story.endpoints.values()) {
        expect(endpoint.failingSince === null).to.equal(endpoint.consecutiveFailures === 0);
      }
    });
  });

  it('warns at the 10th failure, disables at the 20th, and records each once', () => {
    holds((story) => {
      const changes = [...story.chain.values()].flat();
      const twentieths = changes.filter(({ after }) => after === 20);
      const audits = story.settlements.flatMap((settlement) => settlement?.audit ?? []);
      const all = story.settlements.flatMap((settlement) => settlement?.notification ?? []);
      const notes = all.filter(({ kind }) => kind === 'endpoint_disabled');
      const warnings = all.filter(({ kind }) => kind === 'endpoint_failing');
      expect(warnings).to.have.length(changes.filter(({ after }) => after === 10).length);
      expect(notes.length + warnings.length).to.equal(all.length);
      expect(audits.map(({ streak }) => streak)).to.have.deep.members(twentieths);
      expect(notes).to.have.length(audits.length);
      expect(new Set([...audits, ...all].map(({ id }) => id)).size).to.equal(audits.length + all.length);
      for (const endpoint of story.endpoints.values()) {
        expect(endpoint.consecutiveFailures).to.be.at.most(20);
        if (endpoint.consecutiveFailures === 20) expect(endpoint.enabled).to.equal(false);
      }
    });
  });

  it('writes nothing for an observation that is settled already', () => {
    holds((story) => {
      story.observations.forEach((observation, index) => {
        if (story.settlements[index] === null) return;
        const delivery = story.deliveries.get(observation.deliveryId)!;
        const endpoint = story.endpoints.get(observation.endpointId)!;
        expect(settle({ delivery, endpoint }, observation, STEP_MS)).to.equal(null);
      });
    });
  });
});

describe('needsNoTransaction, for any sequence of observations', () => {
  it('accepts observations that change nothing but their rows', () => {
    let accepted = 0;
    fc.assert(
      fc.property(everything, (script) => {
        const { steps } = play(script);
        for (const { before, observation, settlement } of steps) {
          if (!needsNoTransaction(before, observation)) continue;
          accepted += 1;
          expect(settlement).to.include({ endpoint: null, audit: null, notification: null });
          expect(settlement?.attempt).to.include({ status: 'delivered', streak: null });
        }
      }),
      { numRuns: 400 },
    );
    expect(accepted).to.be.above(0);
  });
});

describe('settleAll, for any sequence of observations in any batches', () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

  it('writes the same as settling one by one', () => {
    fc.assert(
      fc.property(observationsOnly, cuts, (script, sizes) => {
        const story = play(script);
        const stored = opening();
        const written = { attempts: [] as unknown[], audits: [] as unknown[], notes: [] as unknown[] };
        const areStored: boolean[] = [];
        for (let from = 0, batch = 0; from < story.observations.length; batch += 1) {
          const size = sizes[batch % sizes.length]!;
          const settled = settleAll(stored, story.observations.slice(from, from + size), STEP_MS);
          for (const row of settled.deliveries) stored.deliveries.set(row.id, row);
          for (const endpoint of settled.endpoints)
            stored.endpoints.set(endpoint.id, {
              ...stored.endpoints.get(endpoint.id)!,
              ...endpoint,
            } as Endpoint);
          written.attempts.push(...settled.attempts);
          written.audits.push(...settled.audits);
          written.notes.push(...settled.announcements.map(({ notification }) => notification));
          areStored.push(...settled.results.map(({ isStored }) => isStored));
          from += size;
        }
        expect(stored.deliveries).to.deep.equal(story.deliveries);
        expect(stored.endpoints).to.deep.equal(story.endpoints);
        expect(areStored).to.deep.equal(story.settlements.map((settlement) => settlement !== null));
        expect(written).to.deep.equal({
          attempts: story.attempts,
          audits: story.settlements.flatMap((settlement) => settlement?.audit ?? []),
          notes: story.settlements.flatMap((settlement) => settlement?.notification ?? []),
        });
      }),
      { numRuns: 50 },
    );
  });

  it('does not modify its input, so that it can run twice', () => {
    fc.assert(
      fc.property(observationsOnly, (script) => {
        const { observations } = play(script);
        const stored = opening();
        const first = settleAll(stored, observations, STEP_MS);
        expect(stored).to.deep.equal(opening());
        expect(settleAll(stored, observations, STEP_MS)).to.deep.equal(first);
      }),
      { numRuns: 30 },
    );
  });
});

describe('scripts of the settle properties', () => {
  it('cover every status, every reason of bookkeeping records and every change of the streak', () => {
    const stories = fc.sample(everything, { numRuns: 60, seed: 7 }).map(play);
    const rows = stories.flatMap((story) => [...story.deliveries.values()]);
    const attempts = stories.flatMap((story) => story.attempts);
    const steps = new Set(
      stories.flatMap((story) => [...story.chain.values()].flat()).map(({ after }) => after),
    );
    const statuses = rows.map(({ status }) => status);
    const reasons = attempts.map(({ failureReason }) => failureReason);
    expect(statuses).to.include.members(['delivered', 'failed', 'failed_permanent', 'dead_lettered']);
    expect(reasons).to.include.members(['endpoint_disabled', 'endpoint_deleted', 'retries_exhausted']);
    expect(steps.has(0) && steps.has(20)).to.equal(true);
    expect(attempts.some(({ ordinal }) => ordinal === 8)).to.equal(true);
  });
});
