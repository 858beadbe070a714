import { sql } from 'kysely'

import { invalidFields, notFound, Problem } from '../../contract/problem.ts'
import { isId } from '../../contract/slugs.ts'
import type { Tx } from '../../database/connection.server.ts'
import { updateRecord } from '../../database/update-record.server.ts'
import type { ModelRow } from '../../platform/server/read-model/tables.ts'
import type { EnrollmentChange } from './contract.ts'
import { DUPLICATE_PROGRAM } from './contract.ts'
import { UNKNOWN_PROGRAM } from './fields.ts'
import { sortDates } from './rules.ts'

const isProgramType = async (tx: Tx, _id: string): Promise<boolean> =>
  isId(_id) && (await tx.selectFrom('program_type').select('_id').where('_id', '=', _id).executeTakeFirst()) !== undefined

/** Replaces the program types of a site; rows that stay are not touched. */
const replaceProgramTypes = async (tx: Tx, site: string, wanted: readonly string[]): Promise<void> => {
  for (const [at, _id] of wanted.entries()) {
    const path = `programTypes.${at}`
    if (!(await isProgramType(tx, _id))) throw invalidFields([{ path, message: UNKNOWN_PROGRAM }])
    if (wanted.indexOf(_id) < at) throw invalidFields([{ path, message: DUPLICATE_PROGRAM }])
  }
  await sql`delete from site_program_type where site = ${site} and not program_type = any(${wanted}::text[])`.execute(tx)
  await sql`insert into site_program_type (site, program_type) select ${site}, unnest(${wanted}::text[]) on conflict do nothing`.execute(tx)
}

/** Updates a locked enrollment record. */
export const saveEnrollment = async (
  tx: Tx,
  site: string,
  changed: EnrollmentChange,
  stored: Pick<ModelRow<'enrollment'>, 'recurring_dates'>,
): Promise<void> => {
  const { programTypes: programs, orientationLink, individualDates, recurringDates, blackoutDates, ...own } = changed
  await updateRecord(tx, 'enrollment', site, {
    ...own,
    virtual_orientation_link: orientationLink,
    selected_dates: individualDates && JSON.stringify(sortDates(individualDates)),
    recurring_dates: recurringDates && JSON.stringify({ ...stored.recurring_dates, ...recurringDates }),
    blackout_dates: blackoutDates?.toSorted(),
  })
  if (programs) await replaceProgramTypes(tx, site, programs)
}

const selectSiteProgramType = (tx: Tx, site: string, program: string) =>
  tx.selectFrom('site_program_type').select('_id').where('site', '=', site).where('program_type', '=', program)

export const buildDuplicateProgramError = () =>
  new Problem(409, DUPLICATE_PROGRAM, { errors: [{ path: '_id', message: DUPLICATE_PROGRAM }] })

const buildUnknownProgramError = () => invalidFields([{ path: '_id', message: UNKNOWN_PROGRAM }])

/** Adds a program type to a locked site. */
export const insertProgramType = async (tx: Tx, site: string, program: string | undefined): Promise<void> => {
  if (program === undefined || !(await isProgramType(tx, program))) throw buildUnknownProgramError()
  if (await selectSiteProgramType(tx, site, program).executeTakeFirst()) throw buildDuplicateProgramError()
  await tx.insertInto('site_program_type').values({ site, program_type: program }).execute()
}

/** Throws 404 if the site does not have the program type. */
export const assertHasProgramType = async (tx: Tx, site: string, program: string): Promise<void> => {
  if (!isId(program) || !(await selectSiteProgramType(tx, site, program).executeTakeFirst())) throw notFound('Program type')
}

/** Removes a program type from a site; throws 404 if the site does not have it. */
export const deleteProgramType = async (tx: Tx, site: string, program: string): Promise<void> => {
  const { numDeletedRows } = isId(program)
    ? await tx.deleteFrom('site_program_type').where('site', '=', site).where('program_type', '=', program).executeTakeFirst()
    : { numDeletedRows: 0n }
  if (numDeletedRows === 0n) throw notFound('Program type')
}
