import { mock } from 'node:test';
import { expect } from 'chai';
import { watchHidden } from '../src/ui/watch-hidden.js';

const AFTER_MS = 30_000;

describe('a page that is hidden', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const watch = () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState });
    const changes: boolean[] = [];
    const end = watchHidden(page as unknown as Document, AFTER_MS, (isHidden) => changes.push(isHidden));
    const become = (state: DocumentVisibilityState) => {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    return { changes, become, end };
  };

  it('counts as hidden once it has been for some time, until it is visible', () => {
    const { changes, become } = watch();
    become('hidden');
    mock.timers.tick(AFTER_MS - 1);
    expect(changes).to.deep.equal([false]);
    mock.timers.tick(1);
    expect(changes).to.deep.equal([false, true]);
    become('visible');
    expect(changes).to.deep.equal([false, true, false]);
  });

  it('counts as visible after a short time behind another tab', () => {
    const { changes, become } = watch();
    become('hidden');
    mock.timers.tick(AFTER_MS - 1);
    become('visible');
    mock.timers.tick(AFTER_MS);
    expect(changes).to.not.include(true);
  });

  it('is no longer watched after the end', () => {
    const { changes, become, end } = watch();
    become('hidden');
    end();
    mock.timers.tick(AFTER_MS);
    become('visible');
    expect(changes).to.deep.equal([false]);
  });
});
