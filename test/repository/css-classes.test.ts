import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

/** Classes that a component uses but its style sheet does not define, which types do not detect. */
const missingClasses = (path: string): string[] => {
  const source = readFileSync(path, 'utf8')
  return [...source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].flatMap(([, name = '', sheet = '']) => {
    const defined = new Set(
      [...readFileSync(join(dirname(path), sheet), 'utf8').matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, className]) => className),
    )
    const used = new Set([...source.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, className = '']) => className))
    return [...used].filter((className) => !defined.has(className)).map((className) => `${path}: ${name}.${className}`)
  })
}

test('every class that a component uses is in its style sheet', () => {
  expect(globSync('src/**/*.{ts,tsx}').flatMap(missingClasses)).toEqual([])
})
