/** What a shell says of a process that was ended because nobody reads what it writes (SIGPIPE, which Node ignores). */
const UNREAD = 141;

/** Lets the process end quietly when whoever reads its output has gone, as in `admin verify | head`. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(UNREAD);
    });
  }
}
