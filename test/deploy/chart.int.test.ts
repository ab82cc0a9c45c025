import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS } from '@postrider/shared/metrics/catalog';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { ROOT } from '#dev/start/paths';
import { podsOf } from './pods.js';
import { type Manifest, parseManifests, renderHelm } from './render.js';
import { ALL, POLICIES, PRODUCTION } from './variants.js';
import { describeWays } from './ways.js';

/** A name that YAML reads as a number unless it is quoted. No number of the chart is the same. */
const DIGITS = '20260101';
const DASHBOARDS = join(ROOT, 'deploy/observability/dashboards');

describeWays('the chart', ({ helm }) => {
  const REFUSED: readonly (readonly [string, object, RegExp])[] = [
    ['an address that is missing', {}, /kafka\.brokers is missing/],
    // Regression: pods of the api were removed without waiting for their load balancer.
    [
      'the values of an older release without its later defaults',
      { ...PRODUCTION, api: { drainSeconds: null } },
      /api\.drainSeconds is missing: .*--reset-then-reuse-values/,
    ],
    // Regression: the templates failed on it without naming a remedy.
    [
      'the values of an older release without a section that was added later',
      { ...PRODUCTION, tracing: null },
      /tracing\.tls is missing: .*--reset-then-reuse-values/,
    ],
    [
      'a secret that is missing',
      { ...PRODUCTION, secrets: {} },
      /MONGODB_URI is missing: give secrets\.existingSecret/,
    ],
    [
      'a console that is reached without TLS',
      {
        ...PRODUCTION,
        ingress: { enabled: true, host: 'a.example.com', tlsElsewhere: true },
        config: { CONSOLE_URL: 'http://a.example.com/console' },
      },
      /CONSOLE_URL is no https:\/\/ address/,
    ],
    // Regression: both were accepted where TLS ends in another ingress than the chart's.
    [
      'a console without TLS behind an ingress of your own',
      { ...PRODUCTION, config: { CONSOLE_URL: 'http://hooks.example.com/console', TRUST_PROXY: 1 } },
      /CONSOLE_URL is no https:\/\/ address/,
    ],
    [
      'a console behind a proxy whose X-Forwarded-For is not trusted',
      { ...PRODUCTION, config: { CONSOLE_URL: 'https://hooks.example.com/console' } },
      /config\.TRUST_PROXY is missing: .* 0 if none does/,
    ],
    [
      'a deadline of deliveries without a unit',
      { ...PRODUCTION, config: { DELIVERY_TIMEOUT: 30 } },
      /\/config\/DELIVERY_TIMEOUT.*got number, want string/,
    ],
    [
      'access tokens for an unknown URL',
      { ...PRODUCTION, config: { OAUTH_ISSUER: 'https://login.example.com' } },
      /MCP_URL is missing/,
    ],
    ['a broker without a port', { ...PRODUCTION, kafka: { brokers: 'kafka' } }, /\/kafka\/brokers/],
    [
      'an unknown login',
      { ...PRODUCTION, kafka: { ...PRODUCTION.kafka, sasl: { mechanism: 'md5' } } },
      /\/kafka\/sasl\/mechanism.*one of '', 'plain', 'scram-sha-256', 'scram-sha-512'/,
    ],
    [
      'a login without a password',
      {
        ...PRODUCTION,
        secrets: { create: { MONGODB_URI: 'x', ENCRYPTION_KEYS: 'x' } },
        kafka: { brokers: 'a:1', sasl: { mechanism: 'plain' } },
      },
      /KAFKA_SASL_USERNAME is missing/,
    ],
    [
      'a misspelt variable',
      { ...PRODUCTION, config: { RETRY_STEPP: '1s' } },
      /\/config.*'RETRY_STEPP' not allowed/,
    ],
    // Regression: these were accepted, and each new pod ended with an error, or its image was not found.
    ['a switch that is none', { ...PRODUCTION, config: { OUTCOMES: 'maybe' } }, /\/config\/OUTCOMES/],
    ['an unknown level', { ...PRODUCTION, config: { LOG_LEVEL: 'loud' } }, /\/config\/LOG_LEVEL.*'warn'/],
    [
      'a duration that is only a number',
      { ...PRODUCTION, config: { RETRY_STEP: '30' } },
      /\/config\/RETRY_STEP/,
    ],
    ['a number in words', { ...PRODUCTION, config: { MAX_STREAMS: 'many' } }, /\/config\/MAX_STREAMS/],
    ['a number below zero', { ...PRODUCTION, config: { MAX_STREAMS: -1 } }, /\/config\/MAX_STREAMS/],
    [
      'an image with a scheme',
      { ...PRODUCTION, image: { repository: 'https://registry.example.com/postrider' } },
      /\/image\/repository/,
    ],
    [
      'an image with its tag in the name',
      { ...PRODUCTION, image: { repository: 'a/b:1.0' } },
      /\/image\/repository/,
    ],
    ['a tag with a space', { ...PRODUCTION, image: { tag: '1.0 0' } }, /\/image\/tag/],
    [
      'less memory than none',
      { ...PRODUCTION, dispatcher: { resources: { limits: { memory: -5 } } } },
      /\/dispatcher\/resources\/limits\/memory/,
    ],
    [
      'a secret in the public configuration',
      { ...PRODUCTION, config: { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x' } },
      /\/config.*'OTEL_EXPORTER_OTLP_HEADERS' not allowed/,
    ],
    [
      'a misspelt value',
      { ...PRODUCTION, dispatcher: { replica: 2 } },
      /\/dispatcher.*'replica' not allowed/,
    ],
    [
      'more pods than partitions',
      { ...PRODUCTION, keda: { enabled: true, maxReplicas: 20 } },
      /keda\.maxReplicas is 20, more than the 12 partitions/,
    ],
    [
      'fewer pods at most than at least',
      { ...PRODUCTION, keda: { enabled: true, minReplicas: 5, maxReplicas: 4 } },
      /keda\.minReplicas is 5, more than the 4 of keda\.maxReplicas/,
    ],
    [
      'the scaling of dispatchers that do not exist',
      { ...PRODUCTION, profile: 'all', keda: { enabled: true } },
      /keda\.enabled is true, but with profile all/,
    ],
    // Regression: both secrets were mounted, but the password was sent to the broker without TLS.
    [
      'certificates for brokers without TLS',
      {
        ...PRODUCTION,
        kafka: { brokers: 'a:1', tls: { existingSecret: 'kafka-tls' }, sasl: { mechanism: 'plain' } },
      },
      /kafka\.tls\.existingSecret is given, but kafka\.tls\.enabled is false/,
    ],
    [
      'certificates for a registry without TLS',
      {
        ...PRODUCTION,
        schemaRegistry: { url: 'http://registry:8081', tls: { existingSecret: 'registry-tls' } },
      },
      /schemaRegistry\.tls\.existingSecret is given, but schemaRegistry\.url is no https:\/\/ address/,
    ],
    [
      'an authority for a collector without TLS',
      {
        ...PRODUCTION,
        config: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
        tracing: { tls: { existingSecret: 'collector-tls' } },
      },
      /tracing\.tls\.existingSecret is given, but config\.OTEL_EXPORTER_OTLP_ENDPOINT is no https:\/\/ address/,
    ],
    [
      'a memory limit in thousandths of a byte',
      { ...PRODUCTION, api: { resources: { limits: { memory: '512m' } } } },
      /\/api\/resources\/limits\/memory.*512m/,
    ],
    [
      'a URL as the public name',
      { ...PRODUCTION, ingress: { host: 'https://a.example.com' } },
      /\/ingress\/host/,
    ],
    [
      'an ingress without TLS',
      { ...PRODUCTION, ingress: { enabled: true, host: 'a.example.com' } },
      /ingress\.tlsSecret is missing: tokens and secrets would cross the network in plain text/,
    ],
    // Regression: both published the api in plain HTTP.
    [
      'a port of the nodes without TLS',
      { ...PRODUCTION, api: { service: { type: 'NodePort' } } },
      /api\.service\.type is NodePort, but api\.service\.tlsElsewhere is false: tokens and secrets would cross/,
    ],
    [
      'a load balancer without TLS',
      { ...PRODUCTION, api: { service: { type: 'LoadBalancer' } }, config: { TRUST_PROXY: 1 } },
      /api\.service\.type is LoadBalancer, but api\.service\.tlsElsewhere is false/,
    ],
    [
      'a load balancer whose X-Forwarded-For is not trusted',
      { ...PRODUCTION, api: { service: { type: 'LoadBalancer', tlsElsewhere: true } } },
      /config\.TRUST_PROXY is missing: api\.service\.type is LoadBalancer.* 0 if none does/,
    ],
    // Regression: the api was published with the address of the proxy as that of every caller.
    [
      'a port of the nodes whose X-Forwarded-For is not trusted',
      { ...PRODUCTION, api: { service: { type: 'NodePort', tlsElsewhere: true } } },
      /config\.TRUST_PROXY is missing: api\.service\.type is NodePort.* 0 if none does/,
    ],
    // Regression: an empty text counted as given.
    [
      'a load balancer with an empty number of proxies',
      {
        ...PRODUCTION,
        api: { service: { type: 'LoadBalancer', tlsElsewhere: true } },
        config: { TRUST_PROXY: '' },
      },
      /config\.TRUST_PROXY is missing: api\.service\.type is LoadBalancer/,
    ],
    [
      'a console behind a proxy with an empty number of proxies',
      { ...PRODUCTION, config: { CONSOLE_URL: 'https://hooks.example.com/console', TRUST_PROXY: '' } },
      /config\.TRUST_PROXY is missing: config\.CONSOLE_URL/,
    ],
    ...(['kafka', 'mongodb'] as const).map(
      (server) =>
        [
          `a secret of which nothing is used for ${server}`,
          withTls(server, { existingSecret: 'tls', customCa: false }),
          RegExp(
            `${server}\\.tls\\.existingSecret is given, but ${server}\\.tls\\.customCa and .* nothing of it`,
          ),
        ] as const,
    ),
    [
      'an authority of the api that the sender of webhooks would trust',
      { ...PRODUCTION, profile: 'all', api: { caSecret: 'authority' } },
      /api\.caSecret is given, but with profile all .* would accept its certificates from every receiver/,
    ],
    [
      'a drain time that is longer than any load balancer needs',
      { ...PRODUCTION, api: { drainSeconds: 121 } },
      /\/api\/drainSeconds.*maximum: got 121, want 120/,
    ],
    [
      'a login at Prometheus without credentials',
      { ...PRODUCTION, keda: { enabled: true, prometheusAuthentication: { modes: 'bearer' } } },
      /keda\.prometheusAuthentication\.name is missing/,
    ],
    [
      'a login at no Prometheus',
      { ...PRODUCTION, keda: { prometheusAddress: '', prometheusAuthentication: { name: 'login' } } },
      /keda\.prometheusAuthentication\.name is given, but keda\.prometheusAddress is empty/,
    ],
    [
      'an unknown kind of login at Prometheus',
      { ...PRODUCTION, keda: { prometheusAuthentication: { modes: 'bearer,digest', name: 'login' } } },
      /\/keda\/prometheusAuthentication\/modes/,
    ],
    [
      'a proxy in two places',
      {
        ...PRODUCTION,
        config: { EGRESS_PROXY: 'http://a:1' },
        secrets: { ...PRODUCTION.secrets, from: { EGRESS_PROXY: { name: 'proxy', key: 'url' } } },
      },
      /EGRESS_PROXY is in config and in secrets: choose one/,
    ],
    // Regression: it was accepted, and readable in the ConfigMap.
    [
      'a password of the proxy in the public configuration',
      { ...PRODUCTION, config: { EGRESS_PROXY: 'http://post:p@ss@proxy:3128' } },
      /config\.EGRESS_PROXY has a password, which would be readable in a ConfigMap/,
    ],
    [
      'a start time-out above the probe of the cluster',
      { ...PRODUCTION, config: { START_TIMEOUT: '2m' } },
      /config\.START_TIMEOUT is 2m, more than 110s/,
    ],
    [
      'a cleanup that the cluster would terminate',
      { ...PRODUCTION, config: { TIME_BUDGET: '1h' } },
      /janitor\.activeDeadlineSeconds is 1800, too short for config\.TIME_BUDGET of 1h: give it 3900 or more/,
    ],
    [
      'a duration without a unit',
      { ...PRODUCTION, config: { TIME_BUDGET: 600 } },
      /\/config\/TIME_BUDGET.*got number, want string/,
    ],
    // Regression: with these the rules over the last minutes had too few samples, or the operator refused the PodMonitor.
    ...['0s', '4s', '61s', '2m', '10m'].map(
      (interval) =>
        [
          `samples every ${interval}`,
          { ...PRODUCTION, monitoring: { interval } },
          /\/monitoring\/interval/,
        ] as const,
    ),
    // Regression: these were accepted, and no probe of the cluster reached a pod.
    ...['localhost', '127.0.0.1', '::1', '10.0.0.7'].map(
      (HOST) =>
        [
          `an address that the probes of the cluster cannot reach: ${HOST}`,
          { ...PRODUCTION, config: { HOST } },
          /\/config\/HOST.*one of '', '0\.0\.0\.0', '::'/,
        ] as const,
    ),
  ];
  for (const [what, values, error] of REFUSED) {
    helm(`rejects ${what} by its name`, async (ways) => {
      expect(await ways.refusal(values)).to.match(error);
    });
  }

  for (const [release, longest] of [
    ['a', 34],
    ['postrider-', 44],
  ] as const) {
    helm(
      `rejects a release ${release}… whose CronJob would have more characters than a cluster allows`,
      async (ways) => {
        const render = (length: number) =>
          renderHelm(ways.helm!, [ways.valuesFile(PRODUCTION)], { release: release.padEnd(length, 'a') });
        const janitor = parseManifests(await render(longest)).find(({ kind }) => kind === 'CronJob');
        expect(janitor?.metadata.name).to.have.length(52);
        const { message } = await render(longest + 1).then(
          () => Error('it was rendered'),
          (error: Error) => error,
        );
        expect(message).to.include(`has ${longest + 1} characters, more than ${longest}:`);
      },
    );
  }

  helm('reads each secret from the configured place', async (ways) => {
    const from = {
      MONGODB_URI: { name: 'mongo-app', key: 'uri' },
      OTEL_EXPORTER_OTLP_HEADERS: { name: 'collector', key: 'headers' },
    };
    const create = { ENCRYPTION_KEYS: 'k1:AAAA' };
    const manifests = await ways.chart({ ...PRODUCTION, secrets: { from, create } });
    const rendered = stringify(manifests.find(({ kind }) => kind === 'Deployment'));
    expect(rendered).to.match(
      /name: MONGODB_URI\n\s+valueFrom:\n\s+secretKeyRef:\n\s+name: mongo-app\n\s+key: uri/,
    );
    expect(rendered).to.match(
      /name: OTEL_EXPORTER_OTLP_HEADERS\n\s+valueFrom:\n\s+secretKeyRef:\n\s+name: collector\n\s+key: headers/,
    );
    const secret = manifests.find(({ kind }) => kind === 'Secret') as Manifest & { stringData: unknown };
    expect(secret.stringData).to.deep.equal(create);
    // Regression: the step from secrets.create to secrets.existingSecret deleted the secret with ENCRYPTION_KEYS.
    expect(secret.metadata.annotations).to.deep.equal({ 'helm.sh/resource-policy': 'keep' });
  });

  helm('keeps numbers as they are written', async (ways) => {
    // Regression: 1000000 in a values file became "1e+06", which the api rejected at its start.
    const config = { RATE_LIMIT_REST_READ: 1_000_000, LOG_SAMPLE_DELIVERED: 0.25, ALLOW_HTTP_WEBHOOKS: true };
    const keda = { enabled: true, lag: 1_000_000, waitSeconds: 2_000_000 };
    const objects = await ways.chart({ ...PRODUCTION, config, keda });
    expect(objects.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({
      RATE_LIMIT_REST_READ: '1000000',
      LOG_SAMPLE_DELIVERED: '0.25',
      ALLOW_HTTP_WEBHOOKS: 'true',
      TOPIC_PARTITIONS: '12',
    });
    const small = await ways.chart({ ...PRODUCTION, config: { LOG_SAMPLE_DELIVERED: 0.00001 } });
    expect(small.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({
      LOG_SAMPLE_DELIVERED: '0.000010000',
    });
    const scaled = stringify(objects.find(({ kind }) => kind === 'ScaledObject'));
    expect(scaled).to.match(/lagThreshold: "1000000"/);
    expect(scaled).to.match(/threshold: "2000000"\n\s+activationThreshold: "1000000"/);
  });

  // Regression: with a tag like latest, Kubernetes pulls always unless the object says otherwise.
  helm('pulls images as the values say, whatever the tag', async (ways) => {
    for (const pullPolicy of ['IfNotPresent', 'Always'])
      for (const { initContainers = [], containers } of podsOf(
        await ways.chart({ ...PRODUCTION, image: { tag: 'latest', pullPolicy } }),
      ))
        for (const { imagePullPolicy } of [...initContainers, ...containers])
          expect(imagePullPolicy).to.equal(pullPolicy);
  });

  // Regression: YAML reads a text of digits as a number, which Kubernetes refuses as a label or a name.
  helm('keeps names of digits as texts', async (ways) => {
    const existingSecret = DIGITS;
    const file = ways.valuesFile({
      ...ALL,
      image: { pullSecrets: [DIGITS] },
      kafka: { ...ALL.kafka, tls: { ...ALL.kafka.tls, existingSecret } },
      mongodb: { tls: { existingSecret } },
      schemaRegistry: { ...ALL.schemaRegistry, tls: { existingSecret } },
      config: { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.tracing:4318' },
      tracing: { tls: { existingSecret } },
      secrets: { existingSecret, from: { ENCRYPTION_KEYS: { name: DIGITS, key: DIGITS } } },
      api: { caSecret: DIGITS },
      ingress: { ...ALL.ingress, className: DIGITS, tlsSecret: DIGITS },
      pods: { serviceAccount: DIGITS, priorityClassName: DIGITS },
      keda: { enabled: true, prometheusAuthentication: { modes: 'bearer', name: DIGITS } },
      networkPolicies: { ...POLICIES, collector: POLICIES.kafka },
    });
    const objects = parseManifests(await renderHelm(ways.helm!, [file], { release: DIGITS }));
    const numbers = objects.filter((object) => hasNumber(object, Number(DIGITS)));
    expect(numbers.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).to.deep.equal([]);
    expect(stringify(objects)).to.match(/^ +app\.kubernetes\.io\/instance: "20260101"$/m);
  });

  // Regression: with an empty one, processes listen on all addresses.
  helm('accepts an empty HOST', async (ways) => {
    const objects = await ways.chart({ ...PRODUCTION, config: { HOST: '' } });
    expect(objects.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({ HOST: '' });
  });

  helm('accepts IPv6 brokers, Node options and wildcard hosts', async (ways) => {
    const objects = await ways.chart({
      ...PRODUCTION,
      kafka: { brokers: '[::1]:9092,kafka-1:9092' },
      config: {
        HOST: '::',
        NODE_OPTIONS: '--max-old-space-size=384',
        START_TIMEOUT: '110s',
        TIME_BUDGET: '1h',
      },
      ingress: { enabled: true, host: '*.example.com', tlsSecret: 'wildcard' },
      janitor: { activeDeadlineSeconds: 1_000_000 },
    });
    expect(objects.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({
      KAFKA_BROKERS: '[::1]:9092,kafka-1:9092',
      HOST: '::',
      NODE_OPTIONS: '--max-old-space-size=384',
    });
    expect(objects.find(({ kind }) => kind === 'ConfigMap')?.data).to.include({ TRUST_PROXY: '1' });
    const ingress = stringify(objects.find(({ kind }) => kind === 'Ingress')?.spec);
    expect(ingress)
      .to.match(/tls:\n\s+- hosts:\n\s+- "\*\.example\.com"/)
      .and.to.match(/host: "\*\.example\.com"/);
    const janitor = stringify(objects.find(({ kind }) => kind === 'CronJob'));
    expect(janitor).to.match(/activeDeadlineSeconds: 1000000\n/);
  });

  helm('trusts the ingress, and as many proxies as the values say', async (ways) => {
    const trusted = async (values: object) => {
      const objects = await ways.chart({ ...PRODUCTION, ...values });
      return objects.find(({ kind }) => kind === 'ConfigMap')?.data as Record<string, string>;
    };
    const ingress = { enabled: true, host: 'a.example.com', tlsElsewhere: true };
    expect(await trusted({ ingress })).to.include({ TRUST_PROXY: '1' });
    expect(await trusted({ ingress, config: { TRUST_PROXY: 2 } })).to.include({ TRUST_PROXY: '2' });
    expect(await trusted({ ingress, config: { TRUST_PROXY: 0 } })).to.include({ TRUST_PROXY: '0' });
    // Regression: an empty text counted as given, and every caller had the address of the ingress.
    expect(await trusted({ ingress, config: { TRUST_PROXY: '' } })).to.include({ TRUST_PROXY: '1' });
    expect(await trusted({})).to.not.have.property('TRUST_PROXY');
  });

  helm('leads portal links to the console of the ingress, unless the values name another', async (ways) => {
    const consoleOf = async (values: object) => {
      const objects = await ways.chart({ ...PRODUCTION, ...values });
      const data = objects.find(({ kind }) => kind === 'ConfigMap')?.data as Record<string, string>;
      return data.CONSOLE_URL;
    };
    const ingress = { enabled: true, host: 'a.example.com', tlsElsewhere: true };
    expect(await consoleOf({ ingress })).to.equal('https://a.example.com/console');
    expect(await consoleOf({ ingress: { ...ingress, host: '*.example.com' } })).to.equal(undefined);
    const config = { CONSOLE_URL: 'https://hooks.example.com/console' };
    expect(await consoleOf({ ingress, config })).to.equal(config.CONSOLE_URL);
    expect(await consoleOf({})).to.equal(undefined);
    expect(await consoleOf({ config: { ...config, TRUST_PROXY: 0 } })).to.equal(config.CONSOLE_URL);
    const local = { CONSOLE_URL: 'http://localhost:8080/console' };
    expect(await consoleOf({ config: local })).to.equal(local.CONSOLE_URL);
  });

  helm('derives the URL of /mcp from the ingress where there is an authorization server', async (ways) => {
    const urlOf = async (values: object) => {
      const objects = await ways.chart({ ...PRODUCTION, ...values });
      const data = objects.find(({ kind }) => kind === 'ConfigMap')?.data as Record<string, string>;
      return data.MCP_URL;
    };
    const ingress = { enabled: true, host: 'a.example.com', tlsElsewhere: true };
    const config = { OAUTH_ISSUER: 'https://login.example.com' };
    expect(await urlOf({ ingress, config })).to.equal('https://a.example.com/mcp');
    expect(await urlOf({ ingress })).to.equal(undefined);
    const own = { ...config, MCP_URL: 'https://b.example.com/mcp' };
    expect(await urlOf({ ingress, config: own })).to.equal(own.MCP_URL);
    // Regression: an empty text counted as given, and no api started.
    const empty = { ...config, MCP_URL: '' };
    expect(await urlOf({ ingress, config: empty })).to.equal('https://a.example.com/mcp');
  });

  helm('has the dashboards as they are in the repository', async (ways) => {
    const monitoring = { dashboards: { enabled: true, annotations: { folder: 'Postrider' } } };
    const objects = await ways.chart({ ...PRODUCTION, monitoring });
    const found = objects.filter((object) => stringify(object.metadata).includes('grafana_dashboard: "1"'));
    const committed = readdirSync(DASHBOARDS).sort();
    expect(found.map(({ data }) => Object.keys(data as object)[0])).to.have.members(
      committed.map((name) => `postrider-${name}`),
    );
    for (const { data, metadata } of found) {
      const [[name, text]] = Object.entries(data as Record<string, string>) as [[string, string]];
      const file = join(DASHBOARDS, name.replace('postrider-', ''));
      expect(JSON.parse(text), name).to.deep.equal(JSON.parse(readFileSync(file, 'utf8')));
      expect(metadata.annotations).to.deep.equal({ folder: 'Postrider' });
    }
  });

  for (const [profile, kinds] of [
    ['production', ['ScaledObject', 'PodMonitor', 'PrometheusRule', 'NetworkPolicy']],
    ['small', ['Deployment']],
  ] as const) {
    helm(`has a profile that renders: ${profile}`, async (ways) => {
      const objects = await ways.chart(PRODUCTION, profile);
      expect(objects.map(({ kind }) => kind)).to.include.members([...kinds]);
    });
  }

  helm('has the same partitions in every profile, because they cannot be removed', async (ways) => {
    for (const profile of ['production', 'small'] as const) {
      const objects = await ways.chart(PRODUCTION, profile);
      expect(objects.find(({ kind }) => kind === 'ConfigMap')?.data, profile).to.include({
        TOPIC_PARTITIONS: '12',
      });
    }
  });

  helm('scales by the median wait of its own release, or with the selector of the values', async (ways) => {
    const medianOf = (series: string) => `histogram_quantile(0.5, sum by (le) (rate(${series}[2m]))) >= 0`;
    const query = async (keda: object) => {
      const objects = await ways.chart({ ...PRODUCTION, keda: { enabled: true, ...keda } });
      const { spec } = objects.find(({ kind }) => kind === 'ScaledObject') as unknown as Scaled;
      return spec.triggers[0]?.metadata.query;
    };
    const waits = 'postrider_delivery_wait_seconds_bucket';
    expect(await query({})).to.equal(medianOf(`${waits}{namespace="default"}`));
    expect(await query({ selector: 'job="hooks"' })).to.equal(medianOf(`${waits}{job="hooks"}`));
    expect(await query({ selector: '' })).to.equal(medianOf(waits));
  });

  // Regression: between the bounds of 30 and 120 s, a median at the target of 60 s was interpolated.
  helm('scales by a wait that the histogram has as a bound', async (ways) => {
    const objects = await ways.chart({ ...PRODUCTION, keda: { enabled: true } });
    const { spec } = objects.find(({ kind }) => kind === 'ScaledObject') as unknown as Scaled;
    const { threshold, activationThreshold } = spec.triggers[0]?.metadata ?? {};
    const { buckets } = METRICS.postrider_delivery_wait_seconds;
    expect(buckets).to.include.members([Number(threshold), Number(activationThreshold)]);
  });

  helm('scales by the lags alone without Prometheus', async (ways) => {
    const objects = await ways.chart({ ...PRODUCTION, keda: { enabled: true, prometheusAddress: '' } });
    const { spec } = objects.find(({ kind }) => kind === 'ScaledObject') as unknown as Scaled;
    expect(spec.triggers.map(({ type }) => type)).to.deep.equal(['kafka', 'kafka']);
  });

  helm('queries a Prometheus with a login', async (ways) => {
    const prometheusAuthentication = { modes: 'tls,basic', name: 'prometheus-login' };
    const objects = await ways.chart({ ...PRODUCTION, keda: { enabled: true, prometheusAuthentication } });
    const { spec } = objects.find(({ kind }) => kind === 'ScaledObject') as unknown as Scaled;
    const [first, ...others] = spec.triggers;
    expect(first?.metadata.authModes).to.equal('tls,basic');
    expect(first?.authenticationRef).to.deep.equal({ name: 'prometheus-login' });
    for (const { authenticationRef } of others) expect(authenticationRef).to.equal(undefined);
  });

  helm('publishes the api by a load balancer that provides TLS', async (ways) => {
    const ingress = { enabled: true, host: 'a.example.com', tlsElsewhere: true };
    for (const [type, values] of [
      ['LoadBalancer', { config: { TRUST_PROXY: 0 } }],
      ['NodePort', { config: { TRUST_PROXY: 1 } }],
      ['NodePort', { ingress }],
    ] as const) {
      const objects = await ways.chart({
        ...PRODUCTION,
        ...values,
        api: { service: { type, tlsElsewhere: true } },
      });
      expect(objects.find(({ kind }) => kind === 'Service')?.spec).to.include({ type });
    }
  });

  helm('runs pods as the user of the values, or as the one that the cluster chooses', async (ways) => {
    const contexts = async (values: object) => {
      const found = podsOf(await ways.chart({ ...PRODUCTION, ...values }));
      // Three deployments, the janitor and the test.
      expect(found).to.have.length(5);
      return found.map(({ securityContext }) => securityContext);
    };
    const always = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
    for (const [pods, user] of [
      [{}, 1000],
      [{ pods: { user: 1_000_680_000 } }, 1_000_680_000],
    ] as const)
      for (const context of await contexts(pods))
        expect(context).to.deep.equal({ ...always, runAsUser: user, runAsGroup: user, fsGroup: user });
    for (const context of await contexts({ pods: { user: null } })) expect(context).to.deep.equal(always);
  });

  helm('links the alerts to the configured runbook', async (ways) => {
    const guide = 'https://git.example.com/postrider/docs/operating.md';
    const monitoring = { enabled: true, runbookUrl: guide };
    const objects = await ways.chart({ ...PRODUCTION, monitoring });
    const rule = stringify(objects.find(({ kind }) => kind === 'PrometheusRule'));
    const links = rule.match(/runbook_url: .*/g) ?? [];
    expect(links).to.have.length.above(10);
    for (const link of links) expect(link.startsWith(`runbook_url: ${guide}#postrider`), link).to.equal(true);
  });

  helm('runs one deployment with profile all, to which the service leads', async (ways) => {
    const objects = await ways.chart({
      ...PRODUCTION,
      profile: 'all',
      networkPolicies: POLICIES,
    });
    const deployments = objects.filter(({ kind }) => kind === 'Deployment');
    expect(deployments.map(({ metadata }) => metadata.name)).to.deep.equal(['postrider-all']);
    const pod = stringify(deployments[0]);
    expect(pod).to.match(/args:\n\s+- all\n/);
    expect(pod).to.match(/livenessProbe:\n\s+httpGet:\n\s+path: \/healthz\n\s+port: liveness/);
    expect(pod).to.match(/readinessProbe:\n\s+httpGet:\n\s+path: \/readyz\n\s+port: http/);
    for (const [kind, name] of [
      ['Service', 'postrider-api'],
      ['PodDisruptionBudget', 'postrider-all'],
    ]) {
      const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
      expect(stringify(found?.spec), `${kind} ${name}`).to.contain('app.kubernetes.io/component: all');
    }
  });

  helm('keeps the pod of a test, because its log is read after it has ended', async (ways) => {
    const test = (await ways.chart(PRODUCTION)).find(({ kind }) => kind === 'Pod');
    // Regression: hook-succeeded deleted the pod before `helm test --logs` read its log, which failed after a passed test.
    expect(test?.metadata.annotations?.['helm.sh/hook-delete-policy']).to.equal('before-hook-creation');
  });
});

interface Scaled {
  readonly spec: {
    readonly triggers: readonly {
      readonly type: string;
      readonly metadata: {
        readonly query?: string;
        readonly authModes?: string;
        readonly threshold?: string;
        readonly activationThreshold?: string;
      };
      readonly authenticationRef?: object;
    }[];
  };
}

/** The values of production with TLS to one of the servers. */
function withTls(server: 'kafka' | 'mongodb', tls: object): object {
  const kafka = { ...PRODUCTION.kafka, tls: { enabled: true, ...tls } };
  return { ...PRODUCTION, ...(server === 'kafka' ? { kafka } : { mongodb: { tls } }) };
}

/** Whether this number is anywhere in the value. */
function hasNumber(value: unknown, number: number): boolean {
  if (typeof value !== 'object' || value === null) return value === number;
  return Object.values(value).some((inner) => hasNumber(inner, number));
}
