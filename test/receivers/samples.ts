import { resolve } from 'node:path';

/** How a sample receiver is made ready and started, and how it is broken to prove that the test notices. */
export interface Sample {
  readonly name: string;
  /** Folder with the sample's files. */
  readonly folder: string;
  /** Programs that must be on the PATH. */
  readonly needs: readonly string[];
  /** Commands that install it in a copy of the folder. */
  readonly install: readonly (readonly string[])[];
  /** The command that starts it there. It prints `handled <webhook-id>` for each delivery. */
  readonly start: readonly string[];
  /** The status with which it answers a body of more than 1 MiB before its end; null if that is not checked. */
  readonly tooLarge: number | null;
  readonly sabotage: Readonly<Record<Sabotage, Replacement>>;
}

/** What is left out of a sample. */
export const SABOTAGES = ['verification', 'raw_body', 'de_duplication'] as const;
export type Sabotage = (typeof SABOTAGES)[number];

/** Texts of one file, each with what replaces it. */
interface Replacement {
  readonly file: string;
  readonly texts: readonly (readonly [text: string, by: string])[];
}

const DOCS = resolve(import.meta.dirname, '../../../docs/receiving');

const KEYLESS = [
  ['id TEXT PRIMARY KEY', 'id TEXT'],
  [' ON CONFLICT (id) DO NOTHING', ''],
] as const;

const nodeSample = (file: string): Sample => ({
  name: `Node ${file}`,
  folder: resolve(DOCS, 'node'),
  needs: ['node'],
  install: [],
  start: ['node', file],
  // Express discards the rest of the body before it answers.
  tooLarge: file === 'bare.mjs' ? 413 : null,
  sabotage: {
    verification: { file, texts: [['webhook.verify(body, request.headers)', 'JSON.parse(body)']] },
    raw_body: { file, texts: [['verify(body,', 'verify(JSON.stringify(JSON.parse(body)),']] },
    de_duplication: { file: 'inbox.mjs', texts: KEYLESS },
  },
});

const REWRITTEN = 'verify(__import__("json").dumps(__import__("json").loads(body)).encode(),';

const pythonSample = (file: string): Sample => ({
  name: `Python ${file}`,
  folder: resolve(DOCS, 'python'),
  needs: ['python3'],
  install: [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/pip', 'install', '--quiet', '-r', 'requirements.txt'],
  ],
  start: ['venv/bin/python', file],
  // Django refuses a body by its length.
  tooLarge: file === 'fastapi_receiver.py' ? 413 : null,
  sabotage: {
    verification: { file, texts: [['webhook.verify(body,', 'str(']] },
    raw_body: { file, texts: [['verify(body,', REWRITTEN]] },
    de_duplication: { file: 'inbox.py', texts: KEYLESS },
  },
});

const GO_REWRITE =
  'func rewritten(b []byte) []byte { var v any; _ = json.Unmarshal(b, &v); o, _ := json.Marshal(v); return o }';

const GO: Sample = {
  name: 'Go',
  folder: resolve(DOCS, 'go'),
  needs: ['go'],
  install: [],
  start: ['go', 'run', '.'],
  tooLarge: 400,
  sabotage: {
    verification: { file: 'main.go', texts: [['webhook.Verify(body, r.Header) != nil', 'webhook == nil']] },
    raw_body: {
      file: 'main.go',
      texts: [
        ['webhook.Verify(body,', 'webhook.Verify(rewritten(body),'],
        ['// add does', `${GO_REWRITE}\n\n// add does`],
      ],
    },
    de_duplication: {
      file: 'main.go',
      texts: [['if tx.Bucket(received).Get([]byte(id)) != nil {', 'if false {']],
    },
  },
};

const JAVA_FILES = 'src/main/java/receiver';
const JAVA_REWRITTEN =
  'verify(tools.jackson.databind.json.JsonMapper.shared().readTree(body).toString(), signatureHeaders';

const JAVA: Sample = {
  name: 'Java Spring',
  folder: resolve(DOCS, 'java'),
  needs: ['java', 'mvn'],
  install: [],
  // Maven writes control characters to standard output without a line end.
  start: ['sh', '-c', 'mvn -q -B package >&2 && exec java -jar target/receiver.jar'],
  tooLarge: null,
  sabotage: {
    verification: {
      file: `${JAVA_FILES}/Receiver.java`,
      texts: [
        [
          'webhook.verify(body, signatureHeaders(received))',
          'if (body.isEmpty()) throw new WebhookVerificationException("")',
        ],
      ],
    },
    raw_body: {
      file: `${JAVA_FILES}/Receiver.java`,
      texts: [['verify(body, signatureHeaders', JAVA_REWRITTEN]],
    },
    de_duplication: { file: `${JAVA_FILES}/Inbox.java`, texts: KEYLESS },
  },
};

const RUBY: Sample = {
  name: 'Ruby',
  folder: resolve(DOCS, 'ruby'),
  needs: ['ruby', 'bundle'],
  // Gems of the machine are used where they suffice.
  install: [
    ['sh', '-c', 'bundle check || { bundle config set --local path vendor && bundle install --quiet; }'],
  ],
  start: ['sh', '-c', 'exec bundle exec puma --quiet --bind "tcp://127.0.0.1:$PORT"'],
  tooLarge: null,
  sabotage: {
    verification: { file: 'config.ru', texts: [['webhook.verify(body, headers)', 'JSON.parse(body)']] },
    raw_body: {
      file: 'config.ru',
      texts: [['verify(body,', 'verify(JSON.generate(JSON.parse(body)),']],
    },
    de_duplication: { file: 'inbox.rb', texts: KEYLESS },
  },
};

const PHP: Sample = {
  name: 'PHP',
  folder: resolve(DOCS, 'php'),
  needs: ['php', 'composer'],
  install: [['composer', 'install', '--quiet', '--no-interaction']],
  start: ['sh', '-c', 'php work.php & exec php -S "127.0.0.1:$PORT" receive.php'],
  tooLarge: null,
  sabotage: {
    verification: { file: 'receive.php', texts: [['$webhook->verify($body, $headers)', 'strlen($body)']] },
    raw_body: {
      file: 'receive.php',
      texts: [['verify($body,', 'verify(json_encode(json_decode($body)),']],
    },
    de_duplication: { file: 'inbox.php', texts: KEYLESS },
  },
};

const CSHARP_REWRITTEN =
  'IsGenuine(JsonSerializer.SerializeToUtf8Bytes(JsonSerializer.Deserialize<JsonElement>(body)),';

const CSHARP: Sample = {
  name: 'C#',
  folder: resolve(DOCS, 'csharp'),
  needs: ['dotnet'],
  install: [['dotnet', 'build', '--nologo', '--verbosity', 'quiet']],
  start: ['dotnet', 'run'],
  tooLarge: null,
  sabotage: {
    verification: {
      file: 'Program.cs',
      texts: [['!signature.IsGenuine(body, request.Headers)', 'body.Length == 0']],
    },
    raw_body: { file: 'Program.cs', texts: [['IsGenuine(body,', CSHARP_REWRITTEN]] },
    de_duplication: { file: 'Inbox.cs', texts: KEYLESS },
  },
};

export const SAMPLES: readonly Sample[] = [
  nodeSample('bare.mjs'),
  nodeSample('express.mjs'),
  pythonSample('fastapi_receiver.py'),
  pythonSample('django_receiver.py'),
  GO,
  JAVA,
  RUBY,
  PHP,
  CSHARP,
];
