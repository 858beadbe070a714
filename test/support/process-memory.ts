import { readFileSync } from 'node:fs'

/** Megabytes of a process now (`VmRSS`) or at most so far (`VmHWM`); 0 where the system or the process does not tell. */
export const readMemoryMegabytes = (pid: number | undefined, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number => {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
