import { expect } from 'chai';
import { batchReads } from '../src/endpoint-names/batch-reads.js';
import { endpointOfUrl } from '../src/endpoint-names/endpoint-of-url.js';
import { searchEndpoints } from '../src/endpoint-names/search-endpoints.js';

describe('reads of single endpoints', () => {
  const reader = (limits: { readonly most: number; readonly pauseMs: number }) => {
    const requests: (readonly string[])[] = [];
    const read = batchReads<string>(async (ids) => {
      requests.push(ids);
      if (ids.includes('refused')) throw new Error('refused');
      return new Map(ids.filter((id) => id !== 'unknown').map((id) => [id, id.toUpperCase()]));
    }, limits);
    return { read, requests };
  };

  it('share a request when they are asked for together', async () => {
    const { read, requests } = reader({ most: 10, pauseMs: 0 });
    expect(await Promise.all(['a', 'unknown', 'b'].map(read))).to.deep.equal(['A', null, 'B']);
    expect(requests).to.deep.equal([['a', 'unknown', 'b']]);
  });

  it('are divided at the limit, and wait for the pause', async () => {
    const { read, requests } = reader({ most: 2, pauseMs: 30 });
    const startedMs = performance.now();
    expect(await Promise.all(['a', 'b', 'c'].map(read))).to.deep.equal(['A', 'B', 'C']);
    expect(requests).to.deep.equal([['a', 'b'], ['c']]);
    expect(performance.now() - startedMs).to.be.at.least(29);
  });

  it('fail together, and work again afterwards', async () => {
    const { read } = reader({ most: 10, pauseMs: 0 });
    const failed = await Promise.allSettled(['a', 'refused'].map(read));
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(await read('a')).to.equal('A');
  });
});

describe('endpoint of a URL', () => {
  const items = ['https://a.example.com/in', 'https://a.example.com/in/orders', 'https://b.example.com/']
    .map((url, n) => ({ id: `whe_${n}`, url }))
    .concat({ id: 'whe_9', url: 'https://b.example.com/' });
  const find = (url: string, isTyping: boolean, nextCursor: string | null = null) =>
    endpointOfUrl(url, { items, nextCursor }, { isTyping });

  it('is the only one with the whole URL', () => {
    expect(find('https://a.example.com/in/orders', true)).to.equal('whe_1');
    expect(find('https://a.example.com/', false)).to.equal(undefined);
    expect(find('https://b.example.com/', false)).to.equal(undefined);
  });

  // Regression: the id replaced a URL that was still being typed.
  it('is none while a URL is typed that another one begins with', () => {
    expect(find('https://a.example.com/in', true)).to.equal(undefined);
    expect(find('https://a.example.com/in', false)).to.equal('whe_0');
    expect(find('https://a.example.com/in/orders', true, 'more')).to.equal(undefined);
  });
});

describe('search for endpoints', () => {
  /** Pages of so many endpoints each. */
  const search = async (...sizes: readonly number[]) => {
    const asked: { readonly limit: number; readonly cursor?: string }[] = [];
    const { items, nextCursor } = await searchEndpoints(20, async (page) => {
      asked.push(page);
      const items = Array.from({ length: sizes[asked.length - 1] ?? 0 }, (_, n) => ({
        id: `whe_${asked.length}_${n}`,
        url: 'https://a.example.com/',
      }));
      return { items, nextCursor: asked.length < sizes.length ? `after ${asked.length}` : null };
    });
    return { found: items.length, hasMore: nextCursor !== null, asked };
  };

  // Regression: among more than 1,000 endpoints, those that the first request did not examine were not offered.
  it('continues after a page that has not found enough', async () => {
    expect(await search(0, 3)).to.deep.equal({
      found: 3,
      hasMore: false,
      asked: [{ limit: 20 }, { limit: 20, cursor: 'after 1' }],
    });
  });

  it('ends with enough endpoints, or after ten requests', async () => {
    const enough = await search(15, 5, 9);
    expect(enough).to.deep.include({ found: 20, hasMore: true });
    expect(enough.asked[1]).to.deep.equal({ limit: 5, cursor: 'after 1' });
    const rare = await search(...Array.from({ length: 12 }, () => 0));
    expect(rare.hasMore).to.equal(true);
    expect(rare.asked).to.have.length(10);
  });
});
