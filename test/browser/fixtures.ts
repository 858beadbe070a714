import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'

type State = Awaited<ReturnType<BrowserContext['storageState']>>

/** Problems of the page that no assertion covers: console errors, uncaught errors, violations of the content security policy. */
export interface PageErrors {
  /** Announces a problem that this test causes on purpose; the test fails if it does not occur. */
  readonly expect: (pattern: RegExp) => void
  /** A problem that may or may not occur, for example if two requests race. */
  readonly allow: (pattern: RegExp) => void
}

interface Options {
  /** The access level of the user who opens the page (`levelN@sample.test`); null for nobody signed in. */
  level: number | null
}

interface Fixtures {
  pageErrors: PageErrors
}

/** Read once by the page's first document, which puts the token into local storage: `storageState` would open a page for that. */
const SEED_COOKIE = 'test-token'
/** The session tokens of contexts that start signed in, for calls outside the page. */
const tokens = new WeakMap<BrowserContext, string>()

const tokenIn = ({ origins }: State): string | undefined =>
  origins.flatMap(({ localStorage }) => localStorage).find(({ name }) => name === 'token')?.value

/** The session token of the signed-in user. */
export const getToken = async (context: BrowserContext): Promise<string | undefined> =>
  tokens.get(context) ?? tokenIn(await context.storageState())

const seedSession = async (context: BrowserContext, state: State): Promise<void> => {
  const token = tokenIn(state)
  if (token === undefined) throw new Error('The signed-in state has no token')
  tokens.set(context, token)
  await context.addCookies([...state.cookies, { name: SEED_COOKIE, value: token, url: baseUrl() }])
  await context.addInitScript((name) => {
    if (window.origin === 'null') return
    const seed = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
    if (seed === undefined) return
    localStorage.setItem('token', seed.slice(name.length + 1))
    document.cookie = `${name}=; max-age=0; path=/`
  }, SEED_COOKIE)
}

interface WorkerFixtures {
  /** The signed-in state of a level: each worker signs in once for each, through the local provider. */
  stateOf: (level: number) => Promise<State>
}

export const baseUrl = (): string => {
  const url = process.env['BROWSER_TEST_URL']
  if (url === undefined) throw new Error('BROWSER_TEST_URL is missing: server.setup.ts sets it')
  return url
}

/** Signs in like a user: the button of the login page, the provider's form, and back. */
export const signIn = async (page: Page, address: string): Promise<void> => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Login Using O365', exact: true }).click()
  await page.locator('input[name=login]').fill(address)
  await page.locator('input[name=login]').press('Enter')
  await expect(page.getByText('Welcome, ')).toBeVisible()
}

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  level: [null, { option: true }],
  baseURL: async ({}, provide) => provide(baseUrl()),
  context: async ({ context, level, stateOf }, provide) => {
    tokens.delete(context)
    if (level !== null) await seedSession(context, await stateOf(level))
    await provide(context)
  },

  stateOf: [
    async ({ browser }, provide) => {
      const states = new Map<number, Promise<State>>()
      const signedInAt = async (level: number): Promise<State> => {
        const context = await browser.newContext({ baseURL: baseUrl() })
        await signIn(await context.newPage(), `level${level}@sample.test`)
        const state = await context.storageState()
        await context.close()
        return state
      }
      await provide((level) => {
        const state = states.get(level) ?? signedInAt(level)
        states.set(level, state)
        return state
      })
    },
    { scope: 'worker' },
  ],

  pageErrors: [
    async ({ context }, provide) => {
      const seen: string[] = []
      const announced: RegExp[] = []
      const allowed: RegExp[] = []
      context.on('console', (message) => {
        if (message.type() === 'error') seen.push(`console: ${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => void seen.push(`uncaught: ${error.error().stack ?? error.error().message}`))
      await context.exposeBinding('reportViolation', (_source, violation: string) => void seen.push(`policy: ${violation}`))
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber, columnNumber }) => {
          void (window as unknown as { reportViolation: (text: string) => Promise<void> }).reportViolation(
            `${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}:${columnNumber}`,
          )
        })
      })
      await provide({ expect: (pattern) => void announced.push(pattern), allow: (pattern) => void allowed.push(pattern) })
      // The browser reports an error a moment after the page has reacted to it, so announced problems are awaited.
      await expect
        .poll(() => announced.filter((pattern) => !seen.some((line) => pattern.test(line))).map(String), {
          message: 'page errors that were announced and did not come',
        })
        .toEqual([])
      expect(
        seen.filter((line) => ![...announced, ...allowed].some((pattern) => pattern.test(line))),
        'page errors that the test did not announce',
      ).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }
