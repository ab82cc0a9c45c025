import { expect } from 'chai';
import { createCompiler } from '../../src/catalogue/validator.js';
import { deadLetter } from '../../src/domain/dead-letter.js';
import { NOTIFICATION_KINDS, type Notification } from '../../src/domain/notification.js';
import { settle } from '../../src/domain/settle.js';
import { NOTIFICATION_PAYLOADS } from '../../src/events/notification-payloads.js';
import {
  aDelivery,
  aFailedDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
  NOON,
} from '../../src/testing/builders.js';
import { aNotification } from '../../src/testing/workspace-builders.js';

const checks = Object.fromEntries(
  NOTIFICATION_KINDS.map((kind) => [kind, createCompiler('first')(NOTIFICATION_PAYLOADS[kind])]),
);
/** In the format of the topic. */
const wire = (notification: Notification) => ({
  ...notification,
  createdAt: notification.createdAt.toISOString(),
});
const fits = (notification: Notification) => checks[notification.kind]?.(wire(notification));

const counts = {
  pending: 0,
  delivered: 7,
  failed: 1,
  failedPermanent: 2,
  deadLettered: 3,
  endpointsDisabled: 1,
};
const failing = () =>
  settle(
    { delivery: aDelivery(), endpoint: aFailingEndpoint(9) },
    anAttemptObservation({ outcome: answered(503) }),
    30_000,
  )!.notification!;
const recovered = aNotification({
  kind: 'endpoint_recovered',
  data: { disabledFor: 300, replayJobId: idFor('replayJob', 'one') },
});
const digest = aNotification({
  kind: 'delivery_digest',
  endpointId: null,
  data: { day: '2026-03-01', ...counts },
});

describe('notification payloads', () => {
  it('accept the notification of the 20th consecutive failure', () => {
    const situation = { delivery: aDelivery(), endpoint: aFailingEndpoint(19) };
    const { notification } = settle(situation, anAttemptObservation({ outcome: answered(503) }), 30_000)!;
    expect(fits(notification!)).to.equal(true);
  });

  it('accept the notification of a dead letter, with and without its endpoint', () => {
    for (const endpoint of [anEndpoint(), null]) {
      expect(fits(deadLetter(aFailedDelivery(7), endpoint, NOON)!.notification)).to.equal(true);
    }
  });

  it('accept a digest without an endpoint, and none with one', () => {
    expect(fits(digest)).to.equal(true);
    expect(fits({ ...digest, endpointId: anEndpoint().id })).to.equal(false);
  });

  it('reject unknown fields, at the top and in the data', () => {
    const good = aNotification();
    expect(fits(good)).to.equal(true);
    expect(checks.endpoint_disabled?.({ ...wire(good), secret: 's3cret' })).to.equal(false);
    expect(fits({ ...good, data: { ...good.data, url: 's3cret' } })).to.equal(false);
  });

  it('reject missing fields and fields of the wrong type', () => {
    expect(fits(aNotification({ data: {} }))).to.equal(false);
    expect(fits(aNotification({ data: { consecutiveFailures: -1 } }))).to.equal(false);
    expect(fits(aNotification({ endpointId: null }))).to.equal(false);
    for (const count of Object.keys(counts)) {
      expect(fits({ ...digest, data: { ...digest.data, [count]: 1.5 } }), count).to.equal(false);
    }
  });

  it('accept notifications of their own kind only', () => {
    const deadLettered = deadLetter(aFailedDelivery(7), null, NOON)!.notification;
    const wires = [failing(), aNotification(), recovered, deadLettered, digest].map(wire);
    for (const kind of NOTIFICATION_KINDS) {
      const taken = wires.filter((each) => checks[kind]?.(each)).map((each) => each.kind);
      expect(taken).to.deep.equal([kind]);
    }
  });
});
