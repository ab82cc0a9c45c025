import { expect } from 'chai';
import { logProxyFailures } from '../src/log-proxy-failures.js';
import { ProxyRefused, ProxyUnavailable } from '../src/post/failure.js';

describe('failures of the forward proxy', () => {
  it('are logged once a minute for each reason, but not receivers that it does not reach', () => {
    const reasons: unknown[] = [];
    let now = 0;
    const report = logProxyFailures({
      log: { warn: (facts) => reasons.push((facts as { reason: unknown }).reason) },
      monotonicMs: () => now,
    });
    const unreachable = new ProxyUnavailable('unreachable');
    const forbidden = new ProxyRefused('the proxy answered 403', { status: 403 });
    for (const failure of [unreachable, forbidden, unreachable]) report(failure);
    report(new ProxyRefused('the proxy answered 502', { status: 502 }));
    report(new ProxyRefused('the proxy closed the connection'));
    expect(reasons).to.deep.equal(['unreachable', 'the proxy answered 403']);
    now = 60_000;
    report(forbidden);
    expect(reasons.slice(2)).to.deep.equal(['the proxy answered 403']);
  });
});
