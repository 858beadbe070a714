import { readFileSync } from 'node:fs'

/** Present (`VmRSS`) or peak (`VmHWM`) memory of a process in megabytes; 0 if unknown. */
export const readMemoryMegabytes = (pid: number | undefined, field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number => {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
