import { expect } from 'vitest'

import type { Proof } from './proof.ts'

/** Runs a proof as a test: exact figures are expected; upper limits only with `checksLimits`, since tests run on busy machines. */
export const createQuickProof = ({ checksLimits = false } = {}): Proof => {
  const lines: string[] = []
  return {
    log: (line) => void lines.push(line),
    report: () => undefined,
    expectEqual: (name, value, required) => expect(value, [name, ...lines].join('\n')).toBe(required),
    expectNone: (name, found) => expect(found, [name, ...lines].join('\n')).toEqual([]),
    expectAtMost: (name, value, max) => void (checksLimits && expect(value, name).toBeLessThanOrEqual(max)),
    expectAtLeast: (name, value, min) => expect(value, name).toBeGreaterThanOrEqual(min),
  }
}
