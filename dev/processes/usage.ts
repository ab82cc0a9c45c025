import { readFileSync } from 'node:fs';
import { type Memory, parseCpuSeconds, parseMemory } from './proc-files.js';

/** Resources that a process has used so far. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly memory: Memory;
}

/** @returns null when the process is gone, or where the system has no /proc */
export function readUsage(pid: number): Usage | null {
  try {
    const cpuSeconds = parseCpuSeconds(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const memory = parseMemory(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return cpuSeconds === null || memory === null ? null : { cpuSeconds, memory };
  } catch {
    return null;
  }
}
