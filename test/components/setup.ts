import { afterEach, beforeEach } from 'vitest'
import { page } from 'vitest/browser'

// A test fails for anything in the console that is an error, as a browser test does; uncaught errors fail the run by themselves.
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
  await page.viewport(1280, 900)
})
afterEach(() => {
  const errors = seen.splice(0)
  if (errors.length > 0) throw new Error(`Errors in the console: ${errors.join('\n')}`)
})
