import type { Log } from '@postrider/shared/ports/log';

interface Line {
  readonly level: keyof Log;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A log that records its entries. */
export interface RecordedLog extends Log {
  readonly lines: Line[];
}

export function recordedLog(): RecordedLog {
  const lines: Line[] = [];
  const at = (level: keyof Log) => (facts: object, message: string) => {
    lines.push({ level, facts: { ...facts }, message });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
