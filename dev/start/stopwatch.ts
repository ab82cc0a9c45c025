/** Tells stages of a start with the time since its beginning. */
export type Stage = (text: string) => void;

/** `beganAt` is in the time of `performance.now()`. */
export function createStopwatch(report: (line: string) => void, beganAt: number): Stage {
  return (text) => {
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(1);
    report(`${seconds.padStart(6)} s  ${text}`);
  };
}
