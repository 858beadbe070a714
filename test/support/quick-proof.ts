import { expect } from 'vitest'

import type { Proof } from './proof.ts'

/**
 * Runs a proof as a test: exact figures are expected; of upper limits only those with names like `limits`, since tests run on busy machines. Limits in
 * milliseconds are multiplied by `timeFactor`.
 */
export const createQuickProof = ({ limits, timeFactor = 1 }: { limits?: RegExp; timeFactor?: number } = {}): Proof => {
  const lines: string[] = []
  return {
    log: (line) => void lines.push(line),
    report: () => undefined,
    expectEqual: (name, value, required) => expect(value, [name, ...lines].join('\n')).toBe(required),
    expectNone: (name, found) => expect(found, [name, ...lines].join('\n')).toEqual([]),
    expectAtMost: (name, value, max, unit) => {
      if (limits?.test(name)) expect(value, [name, ...lines].join('\n')).toBeLessThanOrEqual(unit === 'ms' ? max * timeFactor : max)
    },
    expectAtLeast: (name, value, min) => expect(value, name).toBeGreaterThanOrEqual(min),
  }
}
