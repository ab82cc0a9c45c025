import { type ChildProcess, spawn } from 'node:child_process';

/**
 * A shell that outlives this process, reads what to look after from a pipe and cleans up when the pipe closes, which it
 * does even when this process is killed with SIGKILL. It is a shell because it then weighs one megabyte.
 *
 * Lines: `group <pid>` and `process <pid>` to end, `forget <pid>`, `remove <directory>`.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups=' ' processes=' ' directories=''
newline='
'
without() {
  case $1 in
    *" $2 "*) printf '%s' "\${1%% "$2" *} \${1#* "$2" }" ;;
    *) printf '%s' "$1" ;;
  esac
}
while IFS=' ' read -r verb what; do
  case $verb in
    group) groups="$groups$what " ;;
    process) processes="$processes$what " ;;
    forget) groups=$(without "$groups" "$what"); processes=$(without "$processes" "$what") ;;
    remove) directories="$directories$what$newline" ;;
  esac
done
targets=''
for pid in $groups; do targets="$targets -$pid"; done
for pid in $processes; do targets="$targets $pid"; done
signal() { for target in $targets; do kill "-$1" "$target" 2>/dev/null; done; }
alive() { for target in $targets; do kill -0 "$target" 2>/dev/null && return 0; done; return 1; }
signal TERM; signal CONT
tries=0
while alive && [ $tries -lt 20 ]; do sleep 0.1; tries=$((tries + 1)); done
signal KILL
printf '%s' "$directories" | while IFS= read -r directory; do
  [ -n "$directory" ] && rm -rf -- "$directory"
done
`;

/** Ends processes and removes directories once this process is gone, however it went. */
export interface Guard {
  /** Of the process that outlives us. */
  readonly pid: number;
  /** Ends the process group led by `pid`; resolves when the guard has been told. */
  watchGroup(pid: number): Promise<void>;
  /** Ends one process, for a child that shares our own group. */
  watchProcess(pid: number): Promise<void>;
  /** The process has ended: its id may be given to another. */
  forget(pid: number): void;
  removeLater(directory: string): Promise<void>;
  /** Lets the guard end. Whatever it still watches is ended by it. */
  close(): void;
}

/** Starts the guard. On Windows there is no such shell: nothing is guarded there. */
export function startGuard(): Guard {
  if (process.platform === 'win32') return NO_GUARD;
  const shell = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  const pipe = shell.stdin;
  pipe.on('error', () => {});
  (pipe as unknown as { unref(): void }).unref();
  const tell = (line: string): Promise<void> =>
    new Promise((resolve) => {
      pipe.write(`${line}\n`, () => resolve());
    });
  return {
    pid: shell.pid ?? 0,
    watchGroup: (pid) => tell(`group ${pid}`),
    watchProcess: (pid) => tell(`process ${pid}`),
    forget: (pid) => void tell(`forget ${pid}`),
    removeLater: (directory) => tell(`remove ${directory}`),
    close: () => endPipe(shell),
  };
}

function endPipe(shell: ChildProcess): void {
  shell.stdin?.end();
}

const NO_GUARD: Guard = {
  pid: process.pid,
  watchGroup: async () => {},
  watchProcess: async () => {},
  forget: () => {},
  removeLater: async () => {},
  close: () => {},
};
