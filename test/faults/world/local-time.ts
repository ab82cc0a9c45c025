/** `localTime` in the answer to `hello`: a date, as eight bytes after its name. */
const LOCAL_TIME = Buffer.from('\x09localTime\0', 'latin1');

/** Returns a function that shifts the time that a database reports, in bytes from it. */
export function shiftLocalTime(ms: number): (bytes: Buffer) => void {
  return (bytes) => {
    for (let found = bytes.indexOf(LOCAL_TIME); found >= 0; found = bytes.indexOf(LOCAL_TIME, found + 1)) {
      const at = found + LOCAL_TIME.length;
      if (at + 8 <= bytes.length) bytes.writeBigInt64LE(bytes.readBigInt64LE(at) + BigInt(ms), at);
    }
  };
}
