import { create } from 'qrcode'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'

import type { PersonWithSites } from '../../src/records/people/contract.ts'
import { formatShortVcard, getPersonUrl } from '../../src/records/people/rules.ts'
import { QrCodeModal } from '../../src/records/people/web/QrCodeModal.tsx'
import { expectAccessible } from './accessibility.ts'
import { render } from './render.tsx'

const person = {
  _id: '00000000-0000-4000-8000-000000000001',
  slug: 'marisol-vega',
  name: 'Marisol Vega',
  email: 'marisol.vega@network.test',
  phone: '6615550142',
  roles: [],
  locations: [],
} as unknown as PersonWithSites

for (const width of [1280, 390])
  test(`the QR code contains the short contact, as an image and as text, ${width} px wide`, async () => {
    await page.viewport(width, 900)
    render(<QrCodeModal person={person} onClose={() => {}} />)
    const dialog = page.getByRole('dialog', { name: 'QR code of Marisol Vega' })
    const code = dialog.getByRole('img', { name: /^QR code with the contact of Marisol Vega\./ })
    await expect.element(code).toBeVisible()

    // Each dark module of the code starts its subpath, offset by the quiet zone of four.
    const { modules } = create(formatShortVcard(person, getPersonUrl(location.origin, person)), { errorCorrectionLevel: 'L' })
    const path = code.element().querySelector('path')?.getAttribute('d') ?? ''
    const drawn = [...path.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${Number(x) - 4} ${Number(y) - 4}`)
    const wanted = Array.from({ length: modules.size ** 2 }, (_, at) => [at % modules.size, Math.floor(at / modules.size)] as const)
      .filter(([x, y]) => modules.get(y, x) !== 0)
      .map(([x, y]) => `${x} ${y}`)
    expect(drawn, 'the dark squares').toEqual(wanted)
    expect(code.element().getBoundingClientRect().width, 'wide enough for a camera').toBeGreaterThan(200)

    const items = dialog.getByRole('list', { name: 'What the code says' }).element().querySelectorAll('li')
    const words = [...items].map(({ textContent }) => textContent)
    expect(words, 'the same as text').toEqual(['661-555-0142', person.email, `${location.host}/staff/${person.slug}`])
    await expectAccessible()
  })
