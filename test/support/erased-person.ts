import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db } from '../../src/database/connection.server.ts'
import { createToken } from '../../src/features/access/accounts/contract.ts'
import { createDevice } from '../../src/features/access/devices/contract.ts'
import { getTenant } from '../../src/features/access/session/provider-settings.server.ts'
import { planChange } from '../../src/features/changing/changesets/contract.ts'
import { createComment } from '../../src/features/changing/comments/contract.ts'
import { createProposal, sendSupportRequest } from '../../src/features/changing/requests/contract.ts'
import { createDeadline, saveDeadlineSettings } from '../../src/features/deadlines/deadlines/contract.ts'
import { addFavorite } from '../../src/features/finding/favorites/contract.ts'
import { saveView } from '../../src/features/finding/saved-views/contract.ts'
import { addMember } from '../../src/records/charter-affairs/contract.ts'
import { updatePerson } from '../../src/records/people/contract.ts'
import { saveSettings } from '../../src/records/settings/contract.ts'
import { updateSite } from '../../src/records/sites/contract.ts'
import { type TestApp } from './app.ts'
import { connectDirectory } from './scim.ts'

export const NAME = 'Adálie O’Quillfeather-Brontë'
export const EMAIL = 'adalie.quill@network.test'
export const PHONE = '209-555-0713'
const PHOTO = Buffer.from('89504e470d0a1a0affd8ffe1c0ffee5eed', 'hex')
/** What must not be found anywhere, in texts without accents and in lower case, and in bytes. */
const TRACES = [
  /quillfeather/,
  /adalie/,
  /bronte/,
  /adalie\.quill/,
  /209\D{0,3}555\D{0,3}071[34]/,
  /E5550713/i,
  new RegExp(PHOTO.toString('hex')),
  new RegExp(PHOTO.toString('base64')),
]

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const findTraces = (where: string, text: string): string[] => {
  const [given, folded] = [text, plain(text)]
  return TRACES.filter((trace) => trace.test(given) || trace.test(folded)).map((trace) => `${where}: ${trace} in ${text.slice(0, 300)}`)
}

/** Every row of every table with something of the person, bytes in hexadecimal and as text. */
export const searchTables = async (db: Db): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'm') order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} as t`.execute(db)
    for (const { row } of rows) {
      const bytes = [...row.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('utf8'))
      found.push(...findTraces(name, row), ...bytes.flatMap((text) => findTraces(`bytes of ${name}`, text)))
    }
  }
  return found
}

export const searchFiles = async (folder: string): Promise<string[]> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of files) {
    found.push(...findTraces('name of a file', file.name))
    if (file.isFile()) found.push(...findTraces(file.name, (await readFile(join(file.parentPath, file.name))).toString('utf8')))
  }
  return found
}

/** A person who has used everything there is. */
export const createUsedPerson = async (app: TestApp) => {
  const { as, make, context } = app
  const { db } = context
  const admin = as(1)
  const [site, other] = [await make.site({ phone: '(209) 555-0199' }), await make.person({ name: 'Ines Calder' })]
  const charter = await make.charter()
  const person = await make.person({
    name: 'Adálie Quillfeather',
    slug: 'adalie-quillfeather',
    email: EMAIL,
    phone: PHONE,
    fax: '209-555-0713',
    sql_person_id: 'E5550713',
  })
  await admin.send(updatePerson, { params: { id: person._id }, body: { name: NAME } })
  await db.insertInto('former_slug').values({ table: 'person', slug: 'a-quillfeather', record: person._id }).execute()
  await make.sitePerson(site._id, 'Principal', person._id)
  await make.sitePerson(site._id, 'Registrar', other._id)
  const { _id: account } = await db
    .insertInto('account')
    .values({
      tenant: getTenant(context.configuration),
      objectId: 'f1a2b3c4-0713-4000-8000-00000e5550713',
      azureID: EMAIL.toUpperCase(),
      name: NAME,
      claimedGroups: [`Team ${NAME}`],
    })
    .returning('_id')
    .executeTakeFirstOrThrow()
  await make.permission({
    applicationID: context.configuration.appId,
    azureID: EMAIL,
    name: NAME,
    person: person._id,
    account,
    accessLevel: 5,
  })
  const own = app.asAccount(account)
  await own.send(updateSite, { params: { id: site._id }, body: { address: { description: `Ask ${NAME} (${PHONE}) or (209) 555-0199` } } })
  await make.facility(site._id, { lease_holder: `${NAME}, Trustee`, guarantor: NAME })
  await make.enrollment(site._id, { registrationEmail: [EMAIL, 'office@network.test'] })
  await own.send(sendSupportRequest, { body: { request: `It is me, ${NAME}: call ${PHONE}`, name: NAME, email: EMAIL } })
  await own.send(createProposal, {
    body: { record: { kind: 'site', _id: site._id }, changes: { 'address.phone': '555-555-0100' }, note: `${NAME} knows` },
  })
  await as(10).send(createProposal, {
    body: { record: { kind: 'person', _id: person._id }, changes: { name: 'Adálie Brontë', phone: '209-555-0713' } },
  })
  await own.send(createComment, { params: { kind: 'site', id: site._id }, body: { text: `Written by ${NAME}` } })
  await admin.send(createComment, { params: { kind: 'site', id: site._id }, body: { text: `@{${person._id}} please look` } })
  await own.send(addFavorite, { params: { kind: 'site', id: site._id } })
  await admin.send(addFavorite, { params: { kind: 'person', id: person._id } })
  await own.send(saveView, { body: { name: `Sites of ${NAME}`, page: '/locations', search: '?q=lodi' } })
  await as(10).send(saveView, { body: { name: 'Hers', page: '/leadership', search: `?q=${encodeURIComponent(NAME)}` } })
  await own.send(createDevice, { body: { name: `Phone of ${NAME}` } })
  await own.send(createToken, { body: { name: `Script of ${NAME}`, days: 30 } })
  await admin.send(planChange, {
    body: { kind: 'person', _id: person._id, day: '2099-01-01', changes: { phone: '209-555-0714' }, note: `For ${NAME}` },
  })
  await own.send(planChange, {
    body: { kind: 'site', _id: site._id, day: '2099-01-01', changes: { 'address.description': `Without ${NAME}` } },
  })
  await admin.send(saveSettings, {
    body: { changeRequestsTo: [{ region: null, emails: [EMAIL, 'office@network.test'] }], supportRequestsTo: [EMAIL] },
  })
  await admin.send(saveDeadlineSettings, {
    body: { kinds: [{ kind: 'lease', leadDays: [30], responsible: person._id, regions: [] }] } as never,
  })
  const deadline = await admin.send(createDeadline, {
    body: { title: `Review with ${NAME}`, date: '2099-06-30', kind: 'lease', site: site._id },
  })
  await admin.send(addMember, { params: { id: charter.slug }, body: { board_member_name: NAME, board_position: 'Chair' } })
  const { _id: webhook } = await db
    .insertInto('webhook')
    .values({
      url: 'https://hook.test',
      events: ['person.changed'],
      secret: Buffer.of(1),
      oldSecret: null,
      oldSecretEndsAt: null,
      problem: null,
      createdBy: NAME,
      cursor: 0,
    })
    .returning('_id')
    .executeTakeFirstOrThrow()
  const delivery = { webhook, message: 'm', type: 'site.changed', state: 'delivered', endedAt: new Date() } as const
  await db
    .insertInto('webhook_delivery')
    .values([
      { ...delivery, record: `site:${site._id}`, body: JSON.stringify({ by: NAME, emails: [EMAIL] }) },
      { ...delivery, record: `person:${person._id}`, body: JSON.stringify({ phone: PHONE }) },
    ])
    .execute()
  await db
    .insertInto('sheet_preview')
    .values({
      account: (await admin.who()).account,
      kind: 'people',
      fileName: `${NAME}.xlsx`,
      createdAt: new Date(),
      preview: '{}',
      file: Buffer.from(NAME),
    })
    .execute()
  await db
    .insertInto('hr_person')
    .values({
      PersonID: 'E5550713',
      FirstName: 'Adálie',
      LastName: 'Quillfeather',
      EmailAddress: EMAIL,
      Hris_EmailAddress: null,
      Title: null,
      Department: null,
      Company: null,
      Region: null,
    })
    .execute()
  await db
    .insertInto('error_log')
    .values({
      account,
      context: `/staff/adalie-quillfeather`,
      errorMessage: `No ${NAME}`,
      requestData: JSON.stringify({ email: EMAIL }),
    })
    .execute()
  await db.insertInto('search_miss').values({ query: 'quillfeather, adálie', visitor: 'x' }).execute()
  await db
    .insertInto('check_mail')
    .values({ kind: 'site', record: site._id, recipient: EMAIL, checkedAt: new Date(), isSecond: false, mail: null, at: new Date() })
    .execute()
  const { _id: mail } = await db
    .insertInto('mail')
    .values({
      kind: 'reminder',
      messageId: 'one',
      recipients: [EMAIL],
      subject: `For ${NAME}`,
      body: `Dear ${NAME}`,
      html: `<p>Dear Ad&aacute;lie ${NAME.replace('’', '&#8217;')}</p>`.replace('Ad&aacute;lie ', ''),
      request: null,
      replyName: NAME,
      replyTo: EMAIL,
      problem: null,
    })
    .returning('_id')
    .executeTakeFirstOrThrow()
  const outbox = join(context.configuration.dataDir, 'mail')
  await mkdir(outbox, { recursive: true })
  await writeFile(join(outbox, `${mail}.eml`), `To: ${EMAIL}\n\nDear ${NAME}`)
  const directory = await connectDirectory(app)
  await directory.createUser({
    userName: EMAIL,
    externalId: 'E5550713',
    displayName: NAME,
    name: { givenName: 'Adálie', familyName: 'Quillfeather' },
    emails: [{ value: EMAIL, type: 'work' }],
    phoneNumbers: [{ value: '+1 209 555 0713' }],
    photos: [{ value: `data:image/png;base64,${PHOTO.toString('base64')}`, type: 'photo' }],
  })
  return { admin, own, site, other, charter, person, account, deadline, mail, outbox }
}
