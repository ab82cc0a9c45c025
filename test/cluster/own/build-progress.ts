const EVERY_MS = 30_000;
const MINUTE_MS = 60_000;
const DOWNLOAD = /^go: downloading /;
/** `go build -v` prints the path of each package that it compiles. */
const PACKAGE = /^[\w.~/-]+$/;

/** What lines of `go build -v` add up to. */
export interface GoOutput {
  read(line: string): void;
  readonly summary: string;
}

export function createGoOutput(): GoOutput {
  let downloaded = 0;
  let compiled = 0;
  return {
    read(line) {
      if (DOWNLOAD.test(line)) downloaded += 1;
      else if (PACKAGE.test(line)) compiled += 1;
    },
    get summary() {
      return `modules downloaded: ${downloaded}, packages compiled: ${compiled}`;
    },
  };
}

/** Reports every half minute how far builds with Go are. */
export async function withBuildProgress<T>(
  report: (line: string) => void,
  build: (onLine: (line: string) => void) => Promise<T>,
): Promise<T> {
  const output = createGoOutput();
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const minutes = ((performance.now() - startedAt) / MINUTE_MS).toFixed(1);
    report(`  ${minutes} min: ${output.summary}`);
  }, EVERY_MS);
  try {
    return await build((line) => output.read(line));
  } finally {
    clearInterval(timer);
  }
}
