import type { Browser } from '@playwright/test'

import type { Payload } from './payloads.ts'
import { Observations, openWatchedPage } from './watched-browser.ts'

/** An intentionally unsafe page: it inserts a text unescaped, everywhere a page can. */
const renderUnsafePage = (text: string): string => `<!doctype html><html><head><title>${text}</title></head><body>
<p>${text}</p><input value="${text}"><input value='${text}'><textarea>${text}</textarea><!-- ${text} --><p style="color:${text}">styled</p>
<a id="link" href="${text.trim()}">link</a><iframe src="${text.trim()}"></iframe>
<script>var one = "${text}"</script><script>var two = '${text}'</script><script>var three = \`${text}\`; document.write("${text}")</script>
<script type="text/plain" id="plain">${text.replaceAll('</script', '<\\/script')}</script>
<script>
const given = document.getElementById('plain').textContent.replaceAll('<\\\\/script', '</script')
const again = document.createElement('p')
document.body.append(again)
again.innerHTML = given
again.innerHTML = again.textContent
again.innerHTML = JSON.parse('"' + given.replaceAll('"', '') + '"')
</script></body></html>`

/**
 * Shows the payloads on unsafe pages: which had no effect without a policy (all others are known to be detected), and what happened with the policy
 * of the app.
 */
export const runControl = async (browser: Browser, url: string, payloads: readonly Payload[]) => {
  const policy = (await fetch(`${url}/login`)).headers.get('content-security-policy') ?? ''
  const showWith = async (headers: Record<string, string>) => {
    const { context, page, seen, settled } = await openWatchedPage(browser, url, new Observations())
    const harmless: string[] = []
    let body = ''
    await context.route('**/unsafe*', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body }))
    for (const [place, { kind, text }] of payloads.entries()) {
      const before = seen.runs.length + seen.outside.length
      body = renderUnsafePage(text)
      await page.goto(`/unsafe?${place}`, { waitUntil: 'commit' }).catch(() => undefined)
      await settled()
      if (/^[^<]*:|formaction/i.test(text)) {
        for (const pressed of ['#link', 'form button'])
          await page
            .locator(pressed)
            .first()
            .dispatchEvent('click', undefined, { timeout: 500 })
            .catch(() => undefined)
        await settled()
      }
      if (seen.runs.length + seen.outside.length === before) harmless.push(kind)
    }
    await context.close()
    return { harmless, seen }
  }
  const [{ harmless }, { seen: underPolicy }] = await Promise.all([showWith({}), showWith({ 'content-security-policy': policy })])
  return { harmless, underPolicy }
}
