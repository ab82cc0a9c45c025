import { spawn } from 'node:child_process';

/**
 * A shell that outlives this process. It reads process ids and directories from a pipe and cleans up when the pipe closes,
 * which happens even when this process is killed with SIGKILL. A shell needs only one megabyte.
 *
 * Lines: `watch <target>`, `forget <target>`, `remove <directory>`. A target is what kill(1) accepts.
 */
const SCRIPT = `
trap '' INT TERM HUP
targets=' ' directories=''
newline='
'
while IFS=' ' read -r verb subject; do
  case $verb in
    watch) targets="$targets$subject " ;;
    forget)
      case $targets in
        *" $subject "*) targets="\${targets%% "$subject" *} \${targets#* "$subject" }" ;;
      esac ;;
    remove) directories="$directories$subject$newline" ;;
  esac
done
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
  /** Of the shell, which runs until the last watched process has ended. */
  readonly pid: number;
  /** Ends a process, or the group led by it when its id is negated; resolves when the guard has the id. */
  watch(target: number): Promise<void>;
  /** To be called when the process has ended: the system may reuse its id. */
  forget(target: number): Promise<void>;
  removeLater(directory: string): Promise<void>;
}

let started: Guard | undefined;

/** The guard of this process, started when first used. On Windows there is no such shell, so nothing is guarded. */
export function guard(): Guard {
  started ??= startGuard();
  return started;
}

function startGuard(): Guard {
  if (process.platform === 'win32') return guardWith(process.pid, async () => {});
  const shell = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  const pipe = shell.stdin;
  pipe.on('error', () => {});
  (pipe as unknown as { unref(): void }).unref();
  return guardWith(
    shell.pid ?? 0,
    (line) => new Promise((resolve) => pipe.write(`${line}\n`, () => resolve())),
  );
}

function guardWith(pid: number, send: (line: string) => Promise<void>): Guard {
  return {
    pid,
    watch: (target) => send(`watch ${target}`),
    forget: (target) => send(`forget ${target}`),
    removeLater: (directory) => send(`remove ${directory}`),
  };
}
