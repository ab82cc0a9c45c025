import { expect } from 'chai';
import { bareHost, createEgress, type EgressRules } from '../../src/domain/webhook-url.js';

const STRICT: EgressRules = { allowHttp: false, allowCidrs: [], allowHosts: [] };
const problemWith = (url: string, rules: Partial<EgressRules> = {}) =>
  createEgress({ ...STRICT, ...rules }).problemWith(url);
/** A URL of exactly this many characters. */
const longUrl = (length: number) => 'https://hooks.example.com/'.padEnd(length, 'a');

const ACCEPTED = [
  'https://hooks.example.com',
  'https://hooks.example.com/t/secret?key=1&x=%20',
  'HTTPS://HOOKS.EXAMPLE.COM/',
  'https://hooks.example.com./with-a-trailing-dot',
  'https://hooks.example.com:8443/',
  'https://münchen.example/',
  'https://xn--mnchen-3ya.example/',
  'https://localhost.example.com/',
  'https://local.example/',
  'https://internal.example.com/',
  'https://hooks.internal.example.com/',
  'https://hooks.local.example.com/',
  'https://my-localhost.example/',
  'https://a_b.example.com/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://hooks.example.com/a@b:c',
  'https://hooks.example.com/?to=https://@b',
  'https://hooks.example.com/!a',
  longUrl(2_048),
] as const;

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'is not an absolute URL': [
    '',
    'hooks.example.com',
    '/relative',
    '//hooks.example.com/',
    'https://',
    'https://hooks.example.com:65536/',
    'https://hooks.example.com:port/',
    'https://256.1.1.1/',
    'https://1.2.3.4.5/',
    'https://[::1/',
    'https://[fe80::1%25eth0]/',
    'https://exa%20mple.com/',
    'https://%00.example.com/',
  ],
  'must start with https://': [
    'http://hooks.example.com/',
    'ftp://hooks.example.com/',
    'ws://hooks.example.com/',
    'wss://hooks.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,hello',
    'mailto:ada@example.com',
  ],
  'must not contain incomplete characters': ['https://hooks.example.com/\ud800'],
  'must not contain a user name or password': [
    'https://user@hooks.example.com/',
    'https://user:password@hooks.example.com/',
    'https://:password@hooks.example.com/',
    'https://hooks.example.com@127.0.0.1/',
    'https://@hooks.example.com/',
    'https://:@hooks.example.com/',
    'https:\\\\@hooks.example.com/',
    'https:@hooks.example.com/',
  ],
  'must not contain a fragment': [
    'https://hooks.example.com/#top',
    'https://hooks.example.com/#',
    'https://h.example?#x',
  ],
  'must not contain white space or control characters': [
    ' https://hooks.example.com/',
    'https://hooks.example.com/ ',
    'https://hooks.example.com/a b',
    'https://hooks.example.com/\n',
    'https://hooks.exam\tple.com/',
    'https://hooks.example.com/\u0000',
    'https://hooks.example.com/\u007f',
  ],
  'must have at most 2048 characters': [longUrl(2_049), longUrl(100_000)],
  'must not point to localhost': [
    'https://localhost/',
    'https://LOCALHOST:8443/',
    'https://localhost./',
    'https://hooks.localhost/',
    'https://a.b.localhost./',
    'https://%6c%6fcalhost/',
    'https://localhost%2e/',
    'https://ｌｏｃａｌｈｏｓｔ/',
  ],
  'must name a public host, like hooks.example.com': [
    'https://intranet/',
    'https://com/',
    'https://intranet./',
    'https://hooks.example.com../',
    'https://localhost../',
    'https://.example.com/',
    'https://hooks..example.com/',
    'https://./',
    'https://xn--mnchen-3ya/',
  ],
  'must not point to an internal name': [
    'https://printer.local/',
    'https://printer.LOCAL./',
    'https://metadata.google.internal/',
    'https://a.b.internal./',
  ],
  'must not point to an address that is not public': [
    'https://127.0.0.1/',
    'https://127.0.0.1./',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://0/',
    'https://10.0.0.1/',
    'https://10.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.0.2.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::127.0.0.1]/',
    'https://[::8.8.8.8]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:10.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::8.8.8.8]/',
    'https://[fc00::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[2001:db8::1]/',
    'https://[ff02::1]/',
  ],
};

const nameOf = (url: string) => (url.length > 80 ? `${url.length} characters` : JSON.stringify(url));

describe('webhook URL', () => {
  for (const url of ACCEPTED) {
    it(`accepts ${nameOf(url)}`, () => expect(problemWith(url)).to.equal(null));
  }

  for (const [problem, urls] of Object.entries(REFUSED)) {
    for (const url of urls)
      it(`is rejected, ${problem}: ${nameOf(url)}`, () => expect(problemWith(url)).to.equal(problem));
  }
});

describe('egress for demos and tests', () => {
  it('accepts http only if allowed, and no other scheme', () => {
    expect(problemWith('http://hooks.example.com/', { allowHttp: true })).to.equal(null);
    expect(problemWith('https://hooks.example.com/', { allowHttp: true })).to.equal(null);
    expect(problemWith('ftp://hooks.example.com/', { allowHttp: true })).to.equal('must start with https://');
  });

  it('accepts an allowed address range in every notation', () => {
    const rules = { allowCidrs: ['127.0.0.0/8', '::1/128'] };
    for (const host of ['127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]', '[::1]']) {
      expect(problemWith(`https://${host}:8443/`, rules), host).to.equal(null);
    }
    expect(problemWith('https://10.0.0.1/', rules)).to.equal(
      'must not point to an address that is not public',
    );
  });

  it('accepts an allowed name in any case, and no other name', () => {
    const rules = { allowHosts: ['Receiver', 'hooks.internal'] };
    for (const host of ['receiver', 'RECEIVER', 'receiver.', 'hooks.internal']) {
      expect(problemWith(`https://${host}/`, rules), host).to.equal(null);
    }
    expect(problemWith('https://a.hooks.internal/', rules)).to.equal('must not point to an internal name');
    expect(problemWith('https://sender/', rules)).to.equal('must name a public host, like hooks.example.com');
  });

  it('rejects localhost even if it is allowed', () => {
    const rules = {
      allowHttp: true,
      allowCidrs: ['0.0.0.0/0', '::/0'],
      allowHosts: ['localhost', 'a.localhost'],
    };
    for (const url of ['http://localhost/', 'https://localhost:8443/', 'https://a.localhost/']) {
      expect(problemWith(url, rules), url).to.equal('must not point to localhost');
    }
  });

  it('applies all other rules to an allowed name', () => {
    const rules = { allowHosts: ['receiver'] };
    expect(problemWith('http://receiver/', rules)).to.equal('must start with https://');
    expect(problemWith('https://user@receiver/', rules)).to.equal('must not contain a user name or password');
  });

  it('throws for an invalid range', () => {
    expect(() => createEgress({ ...STRICT, allowCidrs: ['10.0.0.0'] })).to.throw(RangeError, '"10.0.0.0"');
  });
});

describe('egress at connect time', () => {
  const admits = (host: string, address: string, rules: Partial<EgressRules> = {}) =>
    createEgress({ ...STRICT, ...rules }).admits(host, address);

  it('admits only public addresses of a name', () => {
    expect(admits('hooks.example.com', '8.8.8.8')).to.equal(true);
    for (const address of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', 'not an address', '']) {
      expect(admits('hooks.example.com', address), address).to.equal(false);
    }
  });

  it('admits any address of an allowed name, and an allowed range for any name', () => {
    expect(admits('Receiver.', '10.0.0.1', { allowHosts: ['receiver'] })).to.equal(true);
    expect(admits('sender', '10.0.0.1', { allowHosts: ['receiver'] })).to.equal(false);
    expect(admits('hooks.example.com', '10.0.0.1', { allowCidrs: ['10.0.0.0/8'] })).to.equal(true);
    expect(admits('[::1]', '::1', { allowCidrs: ['::1/128'] })).to.equal(true);
  });
});

describe('narrowed egress', () => {
  const DENIED = {
    denyCidrs: ['8.8.8.0/24', '2606:4700::/32'],
    allowCidrs: ['8.8.8.8/32'],
    allowHosts: ['receiver'],
  };
  const egress = createEgress({ ...STRICT, ...DENIED });

  it('refuses denied ranges in every notation, although they are public or allowed', () => {
    for (const address of [
      '8.8.8.8',
      '::ffff:8.8.8.8',
      '64:ff9b::8.8.8.8',
      '2002:808:808::1',
      '2606:4700::1111',
    ]) {
      for (const host of ['hooks.example.com', 'receiver'])
        expect(egress.admits(host, address), address).to.equal(false);
    }
    expect(egress.admits('hooks.example.com', '8.8.9.8')).to.equal(true);
    expect(egress.problemWith('https://8.8.8.8/')).to.equal(
      'must not point to an address that is not public',
    );
    expect(egress.problemWith('https://[64:ff9b::808:808]/')).to.equal(
      'must not point to an address that is not public',
    );
  });

  it('accepts only the given ports', () => {
    const ports = [
      { from: 443, to: 443 },
      { from: 9_000, to: 9_100 },
    ];
    for (const url of [
      'https://a.test/',
      'https://a.test:443/',
      'https://a.test:9000/',
      'https://a.test:9100/',
    ])
      expect(problemWith(url, { ports }), url).to.equal(null);
    const http = { ports: [{ from: 80, to: 80 }], allowHttp: true };
    expect(problemWith('http://a.test/', http)).to.equal(null);
    for (const url of [
      'https://a.test:8443/',
      'https://a.test:8999/',
      'https://a.test:9101/',
      'http://a.test/',
    ])
      expect(problemWith(url, { ports, allowHttp: true }), url).to.equal(
        'must use one of these ports: 443, 9000-9100',
      );
  });
});

describe('bareHost', () => {
  const TABLE = [
    ['Hooks.Example.COM', 'hooks.example.com'],
    ['hooks.example.com.', 'hooks.example.com'],
    ['[::1]', '::1'],
    ['127.0.0.1', '127.0.0.1'],
  ] as const;
  for (const [host, bare] of TABLE)
    it(`converts ${host} to ${bare}`, () => expect(bareHost(host)).to.equal(bare));
});
