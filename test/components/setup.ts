import { afterEach, beforeEach } from 'vitest'
import { page } from 'vitest/browser'

// A test fails if anything is logged as an error, like in browser tests; uncaught errors fail the run anyway.
const seen: string[] = []
// oxlint-disable-next-line eslint/no-console -- React reports here what is wrong with a component
const report = console.error
// oxlint-disable-next-line eslint/no-console -- see above
console.error = (...parts: unknown[]) => {
  seen.push(parts.map(String).join(' '))
  report(...parts)
}

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  await page.viewport(1280, 900)
})
afterEach(() => {
  const errors = seen.splice(0)
  if (errors.length > 0) throw new Error(`Errors in the console: ${errors.join('\n')}`)
})
