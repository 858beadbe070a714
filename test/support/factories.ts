import { randomUUID } from 'node:crypto'

import type { Insertable, Selectable } from 'kysely'

import { toSlug } from '../../src/contract/slugs.ts'
import { setActor, readChangedRecords, type Tx } from '../../src/database/connection.server.ts'
import type { Database } from '../../src/database/schema.ts'
import type { AppContext } from '../../src/platform/server/app-context.ts'

type Row<T extends keyof Database> = Selectable<Database[T]>
type Given<T extends keyof Database> = Partial<Insertable<Database[T]>>

/** A number that is unique in this test file, for unique names, slugs and addresses. */
let made = 0
const fresh = (): number => ++made

/** Record factories: each takes the relevant values and fills in the others. They write as an actor named 'Test Factory'. */
export const factories = ({ db, lists }: Pick<AppContext, 'db' | 'lists'>) => {
  /** Writes like the server: in a transaction with an actor, and invalidating cached lists. */
  const write = async <T>(work: (tx: Tx) => Promise<T>, at?: Date): Promise<T> => {
    const [answer, tables] = await db.transaction().execute(async (tx) => {
      await setActor(tx, { account: null, name: 'Test Factory', at })
      return [await work(tx), await readChangedRecords(tx)] as const
    })
    await lists.invalidate(tables)
    return answer
  }

  const brand = (given: Given<'brand'> = {}): Promise<Row<'brand'>> => {
    const brandName = given.brandName ?? `Brand ${fresh()}`
    return write((tx) =>
      tx
        .insertInto('brand')
        .values({ brandName, slug: toSlug(brandName), ...given })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }

  const charter = async (given: Given<'charter'> = {}): Promise<Row<'charter'>> => {
    const name = given.name ?? `Charter ${fresh()}`
    const ofBrand = given.brand ?? (await brand())._id
    return write((tx) =>
      tx
        .insertInto('charter')
        .values({ name, slug: toSlug(name), ...given, brand: ofBrand })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }

  /** One of the regions inserted by the migrations. */
  const region = (name: Row<'region'>['name'] = 'California'): Promise<Row<'region'>> =>
    db.selectFrom('region').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

  const site = async (given: Given<'site'> = {}): Promise<Row<'site'>> => {
    const displayName = given.displayName ?? `Site ${fresh()}`
    const ofCharter = given.charter === undefined ? (await charter())._id : given.charter
    const ofRegion = given.region === undefined ? (await region())._id : given.region
    return write((tx) =>
      tx
        .insertInto('site')
        .values({ displayName, name: displayName, slug: toSlug(displayName), ...given, charter: ofCharter, region: ofRegion })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }

  /** Every site has facility and enrollment records from the start; these fill them in. */
  const facility = (ofSite: string, given: Given<'facility'>): Promise<Row<'facility'>> =>
    write((tx) => tx.updateTable('facility').set(given).where('site', '=', ofSite).returningAll().executeTakeFirstOrThrow())
  const enrollment = (ofSite: string, given: Given<'enrollment'>): Promise<Row<'enrollment'>> =>
    write((tx) => tx.updateTable('enrollment').set(given).where('site', '=', ofSite).returningAll().executeTakeFirstOrThrow())

  const programType = (given: Given<'program_type'> = {}): Promise<Row<'program_type'>> =>
    write((tx) =>
      tx
        .insertInto('program_type')
        .values({ name: `Program ${fresh()}`, ...given })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  const siteProgram = (ofSite: string, program: string): Promise<Row<'site_program_type'>> =>
    write((tx) =>
      tx.insertInto('site_program_type').values({ site: ofSite, program_type: program }).returningAll().executeTakeFirstOrThrow(),
    )

  const person = (given: Given<'person'> = {}): Promise<Row<'person'>> => {
    const number = fresh()
    const name = given.name ?? `Person ${number}`
    return write((tx) =>
      tx
        .insertInto('person')
        .values({ name, slug: toSlug(name), email: `person${number}@factory.test`, ...given })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }

  /** One of the 26 roles inserted by the migrations. */
  const role = (name = 'Principal'): Promise<Row<'role'>> =>
    db.selectFrom('role').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

  /** Adds someone (a new person by default) to the staff of a site. */
  const sitePerson = async (ofSite: string, roleName = 'Principal', who?: string): Promise<Row<'site_person'>> => {
    const holder = who ?? (await person())._id
    const { _id } = await role(roleName)
    return write((tx) =>
      tx.insertInto('site_person').values({ site: ofSite, person: holder, role: _id }).returningAll().executeTakeFirstOrThrow(),
    )
  }

  /** A small network: a brand, a charter, and a site in California with its principal. */
  const network = async (ofBrand: Given<'brand'> = {}) => {
    const itsBrand = await brand(ofBrand)
    const itsCharter = await charter({ brand: itsBrand._id })
    const itsRegion = await region()
    const itsSite = await site({ charter: itsCharter._id, region: itsRegion._id })
    const principal = await person()
    await sitePerson(itsSite._id, 'Principal', principal._id)
    return { brand: itsBrand, charter: itsCharter, region: itsRegion, site: itsSite, principal }
  }

  const sisSite = async (given: Given<'sis_site'> = {}): Promise<Row<'sis_site'>> => {
    const ofSite = given.site ?? (await site())._id
    return write((tx) =>
      tx
        .insertInto('sis_site')
        .values({ name: `SIS ${fresh()}`, ...given, site: ofSite })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }

  const affair = async (given: Given<'charter_affair'> = {}): Promise<Row<'charter_affair'>> => {
    const ofCharter = given.charter ?? (await charter())._id
    return write((tx) =>
      tx
        .insertInto('charter_affair')
        .values({ ...given, charter: ofCharter })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }
  const member = async (given: Given<'authorizer_board_member'> = {}): Promise<Row<'authorizer_board_member'>> => {
    const ofAffair = given.charter_affair ?? (await affair())._id
    return write((tx) =>
      tx
        .insertInto('authorizer_board_member')
        .values({ board_member_name: `Member ${fresh()}`, ...given, charter_affair: ofAffair })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }
  const district = async (given: Given<'center_district'> = {}): Promise<Row<'center_district'>> => {
    const ofAffair = given.charter_affair ?? (await affair())._id
    return write((tx) =>
      tx
        .insertInto('center_district')
        .values({ center_name: `Center ${fresh()}`, ...given, charter_affair: ofAffair })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }

  const account = (given: Given<'account'> = {}): Promise<Row<'account'>> => {
    const number = fresh()
    return db
      .insertInto('account')
      .values({ tenant: 'factory', objectId: randomUUID(), azureID: `account${number}@factory.test`, name: `Account ${number}`, ...given })
      .returningAll()
      .executeTakeFirstOrThrow()
  }
  const permission = (given: Given<'permission'> = {}): Promise<Row<'permission'>> => {
    const number = fresh()
    return write((tx) =>
      tx
        .insertInto('permission')
        .values({
          applicationID: 'homeroom',
          azureID: `granted${number}@factory.test`,
          name: `Granted ${number}`,
          accessLevel: 5,
          ...given,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  }
  const hrPerson = (given: Given<'hr_person'> = {}): Promise<Row<'hr_person'>> => {
    const number = fresh()
    return db
      .insertInto('hr_person')
      .values({ PersonID: String(900_000 + number), FirstName: 'Hired', LastName: `Person ${number}`, ...given })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  return {
    write,
    brand,
    charter,
    region,
    site,
    facility,
    enrollment,
    programType,
    siteProgram,
    person,
    role,
    sitePerson,
    network,
    sisSite,
    affair,
    member,
    district,
    account,
    permission,
    hrPerson,
  }
}
export type Factories = ReturnType<typeof factories>
