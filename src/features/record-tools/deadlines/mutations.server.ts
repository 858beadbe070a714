import type { CheckedBody } from '../../../contract/call.ts'
import { can } from '../../../contract/capabilities.ts'
import { type FieldError, forbidden, invalidFields, notFound, Problem } from '../../../contract/problem.ts'
import { isId } from '../../../contract/slugs.ts'
import type { Tx } from '../../../database/connection.server.ts'
import { assertVersion, lockForUpdate, updateRecord } from '../../../database/update-record.server.ts'
import type { SignedIn } from '../../../platform/server/app-context.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import type { createDeadline, DeadlineChange } from './contract.ts'
import type { DeadlineRow } from './deadline-index.server.ts'
import { findSource } from './fields.ts'
import { readDate } from './read-date.ts'
import { addYear } from './rules.ts'

const invalid = (path: string, message: string): Problem => invalidFields([{ path, message }])

/** The `_id` of a record given in a body; throws 422 if it does not exist. */
const getNamedId = (model: ReadModel, table: 'charter' | 'site' | 'person', idOrSlug: string, path: string): string => {
  const _id = model.findId(table, idOrSlug)
  if (_id === undefined) throw invalid(path, `This ${table} does not exist`)
  return _id
}

const getResponsible = (model: ReadModel, idOrSlug: string | null): string | null => {
  if (idOrSlug === null) return null
  const _id = getNamedId(model, 'person', idOrSlug, 'responsible')
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
      charter: charter === null ? null : getNamedId(model, 'charter', charter, 'charter'),
      site: site === null ? null : getNamedId(model, 'site', site, 'site'),
      responsible: getResponsible(model, responsible),
    } as never)
    .returning('_id')
    .executeTakeFirstOrThrow()
  return _id
}

/** The fields that the responsible person can change at any level. */
const OWNER_FIELDS: ReadonlySet<string> = new Set(['state', 'snoozedUntil', 'note'])

const assertMayChange = (user: SignedIn, isResponsible: boolean, changes: DeadlineChange): void => {
  if (can(user.accessLevel, 'manage deadlines')) return
  if (!isResponsible || Object.keys(changes).some((field) => !OWNER_FIELDS.has(field))) throw forbidden('manage deadlines')
}

const validateState = (row: DeadlineRow, { state = row.state, snoozedUntil = row.snoozedUntil }: DeadlineChange, today: string): void => {
  if (state !== 'snoozed') return
  if (snoozedUntil === null) throw invalid('snoozedUntil', 'Enter the day until which it is put off')
  if (snoozedUntil <= today) throw invalid('snoozedUntil', 'Enter a day after today')
}

/** The columns of a date: set by hand, or the date in the text (null). */
const toDateColumns = (row: DeadlineRow, date: string | null | undefined): Record<string, unknown> => {
  if (date === undefined) return {}
  if (date !== null) return { date, precision: 'day', isByHand: row.source !== 'custom', isIgnored: false }
  if (row.source === 'custom') throw invalid('date', 'Enter a date')
  const reading = readDate(row.text ?? '', findSource(row.source, row.section, row.field))
  const { date: read, precision } = reading.status === 'certain' ? reading : { date: null, precision: null }
  return { date: read, precision, isByHand: false }
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
  assertMayChange(user, isResponsible, changes)
  assertVersion(row, ifMatchVersion)
  validateState(row, changes, today)
  validateCustom(row, changes)
  const { date, responsible, state, snoozedUntil, ...rest } = changes
  const nextState = state ?? row.state
  await updateRecord(tx, 'deadline', _id, {
    ...rest,
    ...toDateColumns(row, date),
    ...(responsible === undefined ? {} : { responsible: getResponsible(model, responsible) }),
    state: nextState,
    snoozedUntil: nextState === 'snoozed' ? (snoozedUntil ?? row.snoozedUntil) : null,
  })
  if (row.yearly && row.source === 'custom' && state === 'handled' && row.state !== 'handled' && row.date !== null)
    await insertNextYear(tx, row)
}

const insertNextYear = async (tx: Tx, { title, kind, charter, site, responsible, date }: DeadlineRow): Promise<void> => {
  const next = { title, kind, charter, site, date: addYear(date ?? ''), source: 'custom' }
  const known = await tx
    .selectFrom('deadline')
    .select('_id')
    .where((eb) => eb.and(Object.entries(next).map(([column, value]) => eb(column as 'title', value === null ? 'is' : '=', value))))
    .executeTakeFirst()
  if (known) return
  await tx
    .insertInto('deadline')
    .values({ ...next, responsible, yearly: true, precision: 'day' } as never)
    .execute()
}

export const deleteCustomDeadline = async (tx: Tx, _id: string, ifMatchVersion: number | undefined): Promise<void> => {
  if (!isId(_id)) throw notFound('Deadline')
  const row = (await lockForUpdate(tx, 'deadline', _id, ifMatchVersion)) as unknown as DeadlineRow
  if (row.source !== 'custom') throw new Problem(409, 'This deadline comes from a record', { detail: 'Change the text it is read from.' })
  await tx.deleteFrom('deadline').where('_id', '=', _id).execute()
}
