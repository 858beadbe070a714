import type { Page } from '@playwright/test'

import { expect, signIn, test } from './fixtures.ts'

// After a sign-out, no data of the person can be read from the browser, including its cache and Back.

const PERSONAL = ['/auth', '/api/account', '/api/favourites', '/api/recent', '/api/views', '/api/requests/mine', '/api/profile-photo/me']
const LISTS = ['/locations-api/charters_pop', '/locations-api/people_sites_divide/LEADERSHIP', '/locations-api/sites_pop']

/** Requests a path like the page; returns the body. */
const fetchText = (page: Page, path: string): Promise<string> =>
  page.evaluate(async (url) => {
    const token = localStorage.getItem('token') ?? ''
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, 'x-auth-token': token, accept: 'application/json' } })
    return answer.text()
  }, path)

/** What the browser still has cached for a URL, requested without a token and like the page; empty if both return nothing. */
const kept = (page: Page, path: string, token = ''): Promise<string> =>
  page.evaluate(
    async ([url = '', last = '']) => {
      const attempts = [{}, { headers: { authorization: `Bearer ${last}`, 'x-auth-token': last, accept: 'application/json' } }]
      const found = await Promise.all(
        attempts.map((how) =>
          fetch(url, { cache: 'only-if-cached', mode: 'same-origin', ...how }).then(
            (answer) => (answer.ok ? answer.text() : ''),
            () => '',
          ),
        ),
      )
      return found.join('')
    },
    [path, token],
  )

const token = (page: Page): Promise<string> => page.evaluate(() => localStorage.getItem('token') ?? '')

/** An existing affair: its call and its page. */
const affair = async (page: Page): Promise<{ slug: string; address: string; history: string; name: string }> => {
  const charters = JSON.parse(await fetchText(page, '/locations-api/charters_pop')) as {
    _id: string
    slug: string
    name: string
    charter_affair_info: object[]
  }[]
  const charter = charters.find(({ charter_affair_info: info }) => info.length > 0)
  if (!charter) throw new Error('No charter has an affair')
  const { _id, slug, name } = charter
  return { slug, name, address: `/locations-api/charter_affair/${_id}`, history: `/api/history/charter_affair/${_id}` }
}

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('button', { name: 'Login Using O365' })).toBeVisible()
}

test('personal responses are never cached, and lists are revalidated with their ETag', async ({ page, pageErrors }) => {
  pageErrors.expect(/ERR_CACHE_MISS/)
  await signIn(page, 'affairs@sample.test')
  const { address, history } = await affair(page)
  for (const path of [...PERSONAL, address, history]) {
    await fetchText(page, path)
    expect(await kept(page, path, await token(page)), path).toBe('')
  }
  await fetchText(page, LISTS[0] ?? '')
  const again = page.waitForResponse((answer) => answer.url().endsWith(LISTS[0] ?? ''))
  await fetchText(page, LISTS[0] ?? '')
  expect((await (await again).request().sizes()).responseBodySize).toBe(0)
})

for (const [way, leave] of [
  ['the button', signOut],
  [
    'the address of the sign-out',
    async (page: Page) => {
      await page.goto('/auth/logout')
      await expect(page.getByRole('button', { name: 'Login Using O365' })).toBeVisible()
    },
  ],
  [
    'signing out everywhere',
    async (page: Page) => {
      await page.goto('/account')
      await page.getByRole('button', { name: /everywhere/i }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /sign out/i })
        .click()
      await expect(page.getByRole('button', { name: 'Login Using O365' })).toBeVisible()
    },
  ],
] as const)
  test(`after signing out by ${way} cache and storage are empty`, { tag: '@all' }, async ({ page, pageErrors }) => {
    pageErrors.expect(/ERR_CACHE_MISS/)
    // The previous page may still request the user.
    pageErrors.allow(/401 \(Unauthorized\) .*\/auth/)
    // Signing out everywhere would end the sessions of other tests.
    await signIn(page, way === 'signing out everywhere' ? 'manager@sample.test' : 'level5@sample.test')
    const { address, history, slug } = await affair(page)
    const last = await token(page)
    const paths = [...PERSONAL, ...LISTS, address, history]
    await page.goto(`/charter_affair/${slug}`)
    for (const path of paths) await fetchText(page, path)
    await page.evaluate(() => localStorage.setItem('homeroom.draft.level5@sample.test.affair', '{"values":{"notes":"secret"}}'))
    await leave(page)
    for (const path of paths) expect(await kept(page, path, last), path).toBe('')
    const stored = await page.evaluate(() =>
      [localStorage, sessionStorage].map((storage) => JSON.stringify(Object.entries(storage))).join(''),
    )
    for (const word of [last, slug, 'secret', 'level5']) expect(stored).not.toContain(word)
  })

test('a session that has ended leaves no list in the cache', { tag: '@all' }, async ({ page, context, pageErrors }) => {
  pageErrors.expect(/ERR_CACHE_MISS/)
  pageErrors.expect(/401/)
  await signIn(page, 'level10@sample.test')
  const last = await token(page)
  for (const path of LISTS) await fetchText(page, path)
  await context.clearCookies({ name: /./ })
  await page.goto('/regions')
  await expect(page).toHaveURL(/\/login$/)
  for (const path of LISTS) expect(await kept(page, path, last), path).toBe('')
})

test('Back shows nothing of the previous page, and the next person sees their own', async ({ page, pageErrors }) => {
  pageErrors.expect(/400 \(Bad Request\).*local-provider/) // going further back leads to the provider, whose form was already submitted
  await signIn(page, 'level5@sample.test')
  const { slug, name } = await affair(page)
  await page.goto(`/charter_affair/${slug}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await page.addInitScript((word) => {
    const note = () => {
      if (document.body?.innerText.includes(word)) (window as unknown as { seen: boolean }).seen = true
      requestAnimationFrame(note)
    }
    note()
  }, name)
  await signOut(page)
  for (let step = 0; step < 3; step++) {
    await page.goBack().catch(() => undefined)
    await page.waitForLoadState()
    await expect(page.getByText(name)).toHaveCount(0)
    expect(await page.evaluate(() => (window as unknown as { seen?: boolean }).seen)).toBeUndefined()
  }
  await signIn(page, 'level9@sample.test')
  await page.goto(`/charter_affair/${slug}`)
  await expect(page).toHaveURL(/\/$/)
})

/** The browser's indication that a page was restored from its cache; whether it caches pages is up to the browser. */
const leaveAndComeBack = (page: Page) =>
  page.evaluate(async () => {
    window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    const hidden = getComputedStyle(document.body).visibility
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    return [hidden, getComputedStyle(document.body).visibility]
  })

test('a page restored by the browser asks the server before it shows anything', { tag: '@all' }, async ({ page, context, pageErrors }) => {
  await signIn(page, 'level10@sample.test')
  await page.goto('/regions')
  await expect(page.getByRole('heading', { level: 1, name: 'Regions & States' })).toBeVisible()
  expect(await leaveAndComeBack(page)).toEqual(['hidden', 'hidden'])
  await expect(page.getByRole('heading', { level: 1, name: 'Regions & States' })).toBeVisible()

  pageErrors.expect(/401/)
  await context.clearCookies({ name: /./ })
  expect(await leaveAndComeBack(page)).toEqual(['hidden', 'hidden'])
  await expect(page.getByRole('button', { name: 'Login Using O365' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('the next person who signs in sees no unsaved changes of the previous one', { tag: '@all' }, async ({ page, context, pageErrors }) => {
  pageErrors.expect(/401/)
  await signIn(page, 'level5@sample.test')
  await page.evaluate(() => localStorage.setItem('homeroom.draft.level5@sample.test.affair', '{"values":{"notes":"secret"}}'))
  await context.clearCookies({ name: /./ })
  await page.goto('/regions')
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page, 'level9@sample.test')
  expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('secret')
})

test('a link of a record unfolds in a chat program to the name of the program and nothing else', async ({ playwright, page, baseURL }) => {
  await signIn(page, 'level5@sample.test')
  const charter = await affair(page)
  const chat = await playwright.request.newContext({ baseURL: baseURL ?? '', userAgent: 'Slackbot-LinkExpanding 1.0' })
  const address = `/charter_affair/${charter.slug}`
  const [shown, login] = await Promise.all([address, '/login'].map(async (path) => (await chat.get(path)).text()))
  await chat.dispose()
  expect(shown).toContain('<meta property="og:title" content="Homeroom" />')
  expect(shown).not.toContain('name="description"')
  expect(shown).not.toContain(charter.name)
  const withoutNonces = (text = ''): string => text.replaceAll(/nonce="[^"]*"/g, '')
  expect(withoutNonces(shown)).toBe(withoutNonces(login))
})
