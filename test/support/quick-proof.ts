import { expect } from 'vitest'

import type { Proof } from './proof.ts'

/** Runs a proof as a test: exact figures are expected; of upper limits only those with names like `limits`, since tests run on busy machines. */
export const createQuickProof = ({ limits }: { limits?: RegExp } = {}): Proof => {
  const lines: string[] = []
  return {
    log: (line) => void lines.push(line),
    report: () => undefined,
    expectEqual: (name, value, required) => expect(value, [name, ...lines].join('\n')).toBe(required),
    expectNone: (name, found) => expect(found, [name, ...lines].join('\n')).toEqual([]),
    expectAtMost: (name, value, max) => void (limits?.test(name) && expect(value, [name, ...lines].join('\n')).toBeLessThanOrEqual(max)),
    expectAtLeast: (name, value, min) => expect(value, name).toBeGreaterThanOrEqual(min),
  }
}
