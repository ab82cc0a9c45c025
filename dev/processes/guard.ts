import { spawn } from 'node:child_process';

/**
 * A shell that outlives this process. It reads process ids and directories from a pipe and cleans up when the pipe closes,
 * which happens even when this process is killed with SIGKILL. A shell needs only one megabyte.
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
while IFS=' ' read -r verb subject; do
  case $verb in
    group) groups="$groups$subject " ;;
    process) processes="$processes$subject " ;;
    forget) groups=$(without "$groups" "$subject"); processes=$(without "$processes" "$subject") ;;
    remove) directories="$directories$subject$newline" ;;
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

/** Ends processes and removes directories after this process has ended, however it ended. */
export interface Guard {
  /** Of the shell, which lives until the last watched process has ended. */
  readonly pid: number;
  /** Ends the process group led by `pid`; resolves when the guard has its id. */
  watchGroup(pid: number): Promise<void>;
  /** Ends one process, for a child that shares our own group. */
  watchProcess(pid: number): Promise<void>;
  /** To be called when the process has ended: the system may reuse its id. */
  forget(pid: number): void;
  removeLater(directory: string): Promise<void>;
}

let started: Guard | undefined;

/** The guard of this process, started when first used. On Windows there is no such shell, so nothing is guarded. */
export function guard(): Guard {
  started ??= process.platform === 'win32' ? NO_GUARD : startGuard();
  return started;
}

function startGuard(): Guard {
  const shell = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  const pipe = shell.stdin;
  pipe.on('error', () => {});
  (pipe as unknown as { unref(): void }).unref();
  const send = (line: string): Promise<void> =>
    new Promise((resolve) => {
      pipe.write(`${line}\n`, () => resolve());
    });
  return {
    pid: shell.pid ?? 0,
    watchGroup: (pid) => send(`group ${pid}`),
    watchProcess: (pid) => send(`process ${pid}`),
    forget: (pid) => void send(`forget ${pid}`),
    removeLater: (directory) => send(`remove ${directory}`),
  };
}

const NO_GUARD: Guard = {
  pid: process.pid,
  watchGroup: async () => {},
  watchProcess: async () => {},
  forget: () => {},
  removeLater: async () => {},
};
