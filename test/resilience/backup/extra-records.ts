import type { Call } from '../../../src/contract/call.ts'
import { createToken } from '../../../src/features/administration/accounts/contract.ts'
import { sendSupportRequest } from '../../../src/features/changing/requests/contract.ts'
import { downloads } from '../../../src/features/exchange/exports/contract.ts'
import { search } from '../../../src/features/finding/search/contract.ts'
import { logError, dismissErrors } from '../../../src/features/operations/error-log/contract.ts'
import { recordPageView } from '../../../src/features/operations/page-views/contract.ts'
import { addFavorite, recordViewed } from '../../../src/features/record-tools/favorites/contract.ts'
import { uploadPicture } from '../../../src/features/record-tools/pictures/contract.ts'
import { saveView, shareView } from '../../../src/features/record-tools/saved-views/contract.ts'
import { updateBrand } from '../../../src/features/records/brands/contract.ts'
import { saveCharterAffair } from '../../../src/features/records/charter-affairs/contract.ts'
import { updateCharter } from '../../../src/features/records/charters/contract.ts'
import { createPerson } from '../../../src/features/records/people/contract.ts'
import { updateSite } from '../../../src/features/records/sites/contract.ts'
import { createSender } from '../../support/api-client.ts'
import { createNoisyImage, createIcon } from '../../support/pictures.ts'
import type { KnownRecords } from '../../support/writers/known-records.ts'

/** Texts that a file of lines, a JSON or a database might stumble over. */
const HARD = [
  'Two\nlines, "quotes", \'single\', a \\ and a \\n, a tab\t, a semicolon; and 00017',
  'U+2028 \u2028, U+2029 \u2029, U+0085 \u0085, U+FEFF \uFEFF, no-break \u00a0, joined 👩‍👩‍👧, é as two é, Ñuñoa, 漢字, مدرسة',
  `{"r":"h{}"} null NaN ${'x'.repeat(3000)}`,
]
const LARGE_PICTURES = 5

/** Puts into a sample network what the writers do not: large pictures, an icon, hard texts, and what people leave behind by using it. */
export const furnish = async (
  url: string,
  records: KnownRecords,
  people: readonly Readonly<Record<string, string>>[],
): Promise<string[]> => {
  const upload = async (bytes: Buffer, type: string): Promise<string> => {
    const form = new FormData()
    form.set(uploadPicture.upload.field, new Blob([Uint8Array.from(bytes)], { type }), type.endsWith('icon') ? 'a.ico' : 'a')
    const answer = await fetch(`${url}${uploadPicture.path}`, { method: 'POST', headers: people[0] ?? {}, body: form })
    const { _id } = (await answer.json()) as { _id?: string }
    if (_id === undefined) throw new Error(`A picture was not taken: ${answer.status}`)
    return _id
  }
  const done = async (who: number, call: Call, params: Record<string, string> = {}, body?: unknown): Promise<unknown> => {
    const { status, body: answer } = await createSender(url, people[who] ?? {})(call, params, body)
    if (status >= 300) throw new Error(`${call.method} ${call.path} answered ${status}: ${JSON.stringify(answer)}`)
    return answer
  }
  const [brand = '', site = '', charter = ''] = [records.brands[0], records.sites[0], records.charters[0]]

  const brandIcon = await upload(createIcon(), 'image/x-icon')
  const photo = await upload(await createNoisyImage(1800, 1200).jpeg({ quality: 80 }).toBuffer(), 'image/jpeg')
  const large: string[] = []
  for (let at = 0; at < LARGE_PICTURES; at++)
    large.push(
      await upload(
        await createNoisyImage(1300 + at, 1300)
          .png()
          .toBuffer(),
        'image/png',
      ),
    )
  await done(0, updateBrand, { id: brand }, { brandIcon, brandPhoto: large[0] })
  await done(0, updateCharter, { id: charter }, { photo: large[1] })
  await done(0, updateSite, { id: site }, { photo, address: { description: HARD[0] } })
  await done(0, saveCharterAffair, { id: charter }, { overview: { notes: HARD.join('\n') }, mou: { locations: HARD[1] } })
  await done(0, createPerson, {}, { name: 'Zoë “Zed” O’Ñeill 漢字', email: 'zed@writers.test' })
  for (const who of people.keys()) {
    await done(who, addFavorite, { kind: 'site', id: site })
    await done(who, addFavorite, { kind: 'charter', id: charter })
    await done(who, recordViewed, { kind: 'brand', id: brand })
    await done(who, recordPageView, {}, { page: '/location/{id}' })
    await done(who, saveView, {}, { name: `A view of ${who} \u2028`, page: '/locations', search: 'status=active&q=%22%5C' })
    await done(who, createToken, {}, { name: `A program of ${who}`, days: 30 })
    await done(who, sendSupportRequest, {}, { request: HARD[1] })
    await done(who, downloads.facilities)
    await fetch(`${url}${search.path}?q=nothing-of-${who}`, { headers: people[who] ?? {} })
  }
  const view = (await done(0, saveView, {}, { name: 'Shared', page: '/charters', search: '' })) as { _id: string }
  await done(0, shareView, { id: view._id }, { shared: true })
  for (const hard of HARD) await done(0, logError, {}, { errorName: 'TypeError', errorMessage: hard, stackTrace: hard, context: 'a page' })
  const errors = (await (await fetch(`${url}/api/errors`, { headers: people[0] ?? {} })).json()) as { fingerprint: string }[]
  await done(0, dismissErrors, { fingerprint: errors[0]?.fingerprint ?? '' })
  return large
}
