import { downloads } from '../../../src/app/exports/contract.ts'
import { type Call, callName } from '../../../src/contract/call.ts'
import { uploadPicture } from '../../../src/contract/pictures.ts'
import { setActor } from '../../../src/database/connection.server.ts'
import { createToken } from '../../../src/features/access/accounts/contract.ts'
import { sendSupportRequest } from '../../../src/features/changing/requests/contract.ts'
import { addFavorite, recordViewed } from '../../../src/features/finding/favorites/contract.ts'
import { saveView, shareView } from '../../../src/features/finding/saved-views/contract.ts'
import { search } from '../../../src/features/finding/search/contract.ts'
import { logError, dismissErrors } from '../../../src/features/operations/error-log/contract.ts'
import { recordPageView } from '../../../src/features/operations/page-views/contract.ts'
import { updateBrand } from '../../../src/records/brands/contract.ts'
import { saveCharterAffair } from '../../../src/records/charter-affairs/contract.ts'
import { updateCharter } from '../../../src/records/charters/contract.ts'
import { createPerson } from '../../../src/records/people/contract.ts'
import { updateSite } from '../../../src/records/sites/contract.ts'
import { createSender, fetchJson, toRequest } from '../../support/api-client.ts'
import { createFileForm } from '../../support/http-requests.ts'
import { createFile, createNoisyImage, createIcon } from '../../support/pictures.ts'
import type { NetworkUnderLoad } from '../../support/writers/network-under-load.ts'

/** Texts that break naive formats of lines, JSON or text in a database. */
const DIFFICULT_TEXTS = [
  'Two\nlines, "quotes", \'single\', a \\ and a \\n, a tab\t, a semicolon; and 00017',
  'U+FEFF \uFEFF, no-break \u00a0, joined 👩‍👩‍👧, é as two é, Ñuñoa, 漢字, مدرسة',
  `{"r":"h{}"} null NaN ${'x'.repeat(3000)}`,
] as const
/** The API refuses or replaces these characters; an older import may have stored them. */
const STORED_ONLY = 'U+2028 \u2028, U+2029 \u2029, U+0085 \u0085'
const LARGE_PICTURES = 5

/** Adds what the writers do not create: large pictures, an icon, difficult texts, and data left by using the app. */
export const addExtraRecords = async (
  { server, records }: NetworkUnderLoad,
  users: readonly Readonly<Record<string, string>>[],
): Promise<void> => {
  const { url } = server
  const upload = async (bytes: Buffer, type: string): Promise<string> => {
    const file = createFile(bytes, type.endsWith('icon') ? 'a.ico' : 'a', type)
    const request = toRequest('POST', users[0] ?? {}, createFileForm(file, uploadPicture.upload.field))
    return (await fetchJson<{ _id: string }>(`${url}${uploadPicture.path}`, request))._id
  }
  const send = async (user: number, call: Call, params: Record<string, string> = {}, body?: unknown): Promise<unknown> => {
    const response = await createSender(url, users[user] ?? {})(call, params, body)
    if (response.status >= 300) throw new Error(`${callName(call)} answered ${response.status}: ${JSON.stringify(response.body)}`)
    return response.body
  }
  const [brand = '', site = '', charter = ''] = [records.brands[0], records.sites[0], records.charters[0]]

  const brandIcon = await upload(createIcon(), 'image/x-icon')
  const photo = await upload(await createNoisyImage(1800, 1200).jpeg({ quality: 80 }).toBuffer(), 'image/jpeg')
  const large: string[] = []
  for (let n = 0; n < LARGE_PICTURES; n++) large.push(await upload(await createNoisyImage(1300 + n, 1300).png().toBuffer(), 'image/png')) // prettier-ignore
  await send(0, updateBrand, { id: brand }, { brandIcon, brandPhoto: large[0] })
  await send(0, updateCharter, { id: charter }, { photo: large[1] })
  await send(0, updateSite, { id: site }, { photo, address: { description: DIFFICULT_TEXTS[0] } })
  await send(
    0,
    saveCharterAffair,
    { id: charter },
    { overview: { notes: DIFFICULT_TEXTS.join('\n') }, mou: { locations: DIFFICULT_TEXTS[1] } },
  )
  await send(0, createPerson, {}, { name: 'Zoë “Zed” O’Ñeill 漢字', email: 'zed@writers.test' })
  for (const user of users.keys()) {
    await send(user, addFavorite, { kind: 'site', id: site })
    await send(user, addFavorite, { kind: 'charter', id: charter })
    await send(user, recordViewed, { kind: 'brand', id: brand })
    await send(user, recordPageView, {}, { page: '/location/{id}' })
    await send(user, saveView, {}, { name: `A view of ${user} \u2028`, page: '/locations', search: 'status=active&q=%22%5C' })
    await send(user, createToken, {}, { name: `A program of ${user}`, days: 30 })
    await send(user, sendSupportRequest, {}, { request: DIFFICULT_TEXTS[1] })
    await send(user, downloads.facilities)
    await fetch(`${url}${search.path}?q=nothing-of-${user}`, { headers: users[user] ?? {} })
  }
  const view = (await send(0, saveView, {}, { name: 'Shared', page: '/charters', search: '' })) as { _id: string }
  await send(0, shareView, { id: view._id }, { shared: true })
  for (const text of DIFFICULT_TEXTS)
    await send(0, logError, {}, { errorName: 'TypeError', errorMessage: text, stackTrace: text, context: 'a page' })
  const errors = await fetchJson<{ fingerprint: string }[]>(`${url}/api/errors`, { headers: users[0] ?? {} })
  await send(0, dismissErrors, { fingerprint: errors[0]?.fingerprint ?? '' })
  await server.withDatabase((db) =>
    db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'Old import' })
      await tx
        .updateTable('site')
        .set({ closures: STORED_ONLY })
        .where('_id', '=', records.sites[1] ?? '')
        .execute()
    }),
  )
}
