import type { CheckedBody } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import { findSource } from '../../../contract/deadlines.ts'
import { type FieldError, forbidden, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import { isId } from '../../../contract/slugs.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { findReferenceError } from '../../../database/record-lookup.server.ts'
import { assertVersion, lockForUpdate, updateRecord } from '../../../database/update-record.server.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import type { createDeadline, DeadlineChange } from './contract.ts'
import type { DeadlineRow } from './deadline-index.server.ts'
import { addYear, isLeapDay } from './rules.ts'
import { readText, toReadingColumns } from './stored-reading.server.ts'

const invalid = (path: string, message: string): Problem => invalidFields([{ path, message }])

/** The `_id` of a record given in a body; throws 422 if it does not exist, or is archived. */
const findNamedId = async (
  tx: Tx,
  model: ReadModel,
  table: 'charter' | 'site' | 'person',
  idOrSlug: string,
  path: string,
): Promise<string> => {
  const _id = model.findId(table, idOrSlug) ?? ''
  const message = await findReferenceError(tx, table, _id)
  if (message !== undefined) throw invalid(path, message)
  return _id
}

const findResponsible = async (tx: Tx, model: ReadModel, idOrSlug: string | null): Promise<string | null> => {
  if (idOrSlug === null) return null
  const _id = await findNamedId(tx, model, 'person', idOrSlug, 'responsible')
  if (model.table('person').need(_id).leftAt !== null) throw invalid('responsible', 'This person is no longer employed')
  return _id
}

export const insertDeadline = async (tx: Tx, model: ReadModel, body: CheckedBody<typeof createDeadline>): Promise<string> => {
  const { charter = null, site = null, responsible = null, note = null, yearly = false, title, date, kind } = body
  const { _id } = await tx
    .insertInto('deadline')
    .values({
      source: 'custom',
      title,
      date,
      kind,
      yearly,
      note,
      precision: 'day',
      charter: charter === null ? null : await findNamedId(tx, model, 'charter', charter, 'charter'),
      site: site === null ? null : await findNamedId(tx, model, 'site', site, 'site'),
      responsible: await findResponsible(tx, model, responsible),
    } as never)
    .returning('_id')
    .executeTakeFirstOrThrow()
  return _id
}

/** The fields that the responsible person can change at any level. */
const OWNER_FIELDS: ReadonlySet<string> = new Set(['state', 'snoozedUntil', 'note', 'confirmed'])

const findProposed = ({ proposedDates }: DeadlineRow, date: string | null | undefined) =>
  proposedDates?.find((proposed) => proposed.date === date)

const assertMayChange = (user: SignedIn, isResponsible: boolean, row: DeadlineRow, changes: DeadlineChange): void => {
  if (can(user.accessLevel, 'manage deadlines')) return
  const isOfOwner = (field: string): boolean =>
    OWNER_FIELDS.has(field) || (field === 'date' && changes.confirmed === true && findProposed(row, changes.date) !== undefined)
  if (!isResponsible || !Object.keys(changes).every(isOfOwner)) throw forbidden('manage deadlines')
}

const validateState = (row: DeadlineRow, changes: DeadlineChange, today: string): void => {
  const { state = row.state, snoozedUntil = row.snoozedUntil, confirmed, date } = changes
  if (changes.state !== undefined && row.proposedDates !== null && confirmed === undefined && !date)
    throw invalid('state', 'Confirm the date first')
  if (state !== 'snoozed') return
  if (snoozedUntil === null) throw invalid('snoozedUntil', 'Enter the day until which it is put off')
  if (snoozedUntil <= today) throw invalid('snoozedUntil', 'Enter a day after today')
}

/** The date that a change sets: the given one or, if a proposal is confirmed without one, the likeliest. */
const getNewDate = ({ proposedDates }: DeadlineRow, { confirmed, date }: DeadlineChange): string | null | undefined => {
  if (confirmed === undefined) return date
  if (date === null) throw invalid('date', 'Enter a date')
  if (proposedDates === null) throw invalid('confirmed', 'This deadline has no date to confirm')
  return date ?? proposedDates[0]?.date
}

/** The columns of a date: set by hand, or the date in the text (null). */
const toDateColumns = (row: DeadlineRow, date: string | null | undefined): Record<string, unknown> => {
  if (date === undefined) return {}
  if (date !== null)
    return {
      date,
      precision: findProposed(row, date)?.precision ?? 'day',
      proposedDates: null,
      why: null,
      formerDate: null,
      isByHand: row.source !== 'custom',
      isIgnored: false,
      isLeapDay: row.isLeapDay && date === row.date,
    }
  if (row.source === 'custom') throw invalid('date', 'Enter a date')
  const reading = readText(row.text, findSource(row.source, row.section, row.field))
  return { ...toReadingColumns(reading), formerDate: null, isByHand: false }
}

const validateCustom = (row: DeadlineRow, changes: DeadlineChange): void => {
  if (row.source === 'custom') {
    if (changes.isIgnored === true) throw invalid('isIgnored', 'Delete it instead')
    return
  }
  const errors = (['title', 'yearly', 'kind'] as const).flatMap((path): FieldError[] =>
    changes[path] === undefined ? [] : [{ path, message: 'This comes from the record' }],
  )
  if (errors.length > 0) throw invalidFields(errors)
}

interface DeadlineEdit {
  readonly user: SignedIn
  readonly model: ReadModel
  readonly today: string
  /** Whether the user may see it, and is responsible for it. */
  readonly access: (row: DeadlineRow) => { readonly isVisible: boolean; readonly isResponsible: boolean }
}

/** Saves a change of a deadline; handling a yearly one moves it to the next year. */
export const saveDeadline = async (
  tx: Tx,
  _id: string,
  ifMatchVersion: number | undefined,
  changes: DeadlineChange,
  { user, model, today, access }: DeadlineEdit,
): Promise<void> => {
  if (!isId(_id)) throw notFound('Deadline')
  const row = (await lockForUpdate(tx, 'deadline', _id, undefined)) as unknown as DeadlineRow
  const { isVisible, isResponsible } = access(row)
  if (!isVisible) throw notFound('Deadline')
  assertMayChange(user, isResponsible, row, changes)
  assertVersion(row, ifMatchVersion)
  validateState(row, changes, today)
  validateCustom(row, changes)
  const { date: _date, confirmed: _confirmed, responsible, state, snoozedUntil, ...rest } = changes
  const nextState = state ?? row.state
  await updateRecord(tx, 'deadline', _id, {
    ...rest,
    ...toDateColumns(row, getNewDate(row, changes)),
    ...(responsible === undefined ? {} : { responsible: await findResponsible(tx, model, responsible) }),
    state: nextState,
    snoozedUntil: nextState === 'snoozed' ? (snoozedUntil ?? row.snoozedUntil) : null,
  })
  if (row.yearly && row.source === 'custom' && state === 'handled' && row.state !== 'handled' && row.date !== null)
    await insertNextYear(tx, row)
}

const insertNextYear = async (tx: Tx, row: DeadlineRow): Promise<void> => {
  const { title, kind, charter, site, responsible } = row
  const date = row.date ?? ''
  const isOfLeapDay = row.isLeapDay || isLeapDay(date)
  const next = { title, kind, charter, site, date: addYear(date, isOfLeapDay), source: 'custom' }
  const known = await tx
    .selectFrom('deadline')
    .select('_id')
    .where((eb) => eb.and(Object.entries(next).map(([column, value]) => eb(column as 'title', value === null ? 'is' : '=', value))))
    .executeTakeFirst()
  if (known) return
  await tx
    .insertInto('deadline')
    .values({ ...next, responsible, yearly: true, isLeapDay: isOfLeapDay, precision: 'day' } as never)
    .execute()
}

export const deleteCustomDeadline = async (tx: Tx, _id: string, ifMatchVersion: number | undefined): Promise<void> => {
  if (!isId(_id)) throw notFound('Deadline')
  const row = (await lockForUpdate(tx, 'deadline', _id, ifMatchVersion)) as unknown as DeadlineRow
  if (row.source !== 'custom') throw new Problem(409, 'This deadline comes from a record', { detail: 'Change the text it is read from.' })
  await tx.deleteFrom('deadline').where('_id', '=', _id).execute()
}
