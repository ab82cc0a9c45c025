import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { completeGuide } from './describe-events.js';

describe('the guide to the events', () => {
  const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/events.md'), 'utf8');

  it('lists the fields as they are declared; "npm run generate:guide" writes them anew', () => {
    expect(guide).to.equal(completeGuide(guide));
  });

  it('tells of every field of an event and of the data of a notification', () => {
    for (const field of ['previousPlan', 'occurredAt', 'data.failingSince', 'invitationId']) {
      expect(guide).to.include(`| \`${field}\` |`);
    }
  });
});
