import { sql } from 'kysely'

import { type Db, type Queryable, tryLock, type Tx } from '../../database/connection.server.ts'
import { LOCKS } from '../../database/locks.ts'
import type { FileRow } from '../../platform/server/delimited.ts'
import { assertReportIsOtherFile, CsvReport, type RefusedRow, toRefusedCells, toRefusedHeader } from './csv-report.server.ts'
import { type DirectoryFile, findHeader, isBlankRow, padCells } from './directory-file.server.ts'
import { ImportError } from './import-error.ts'
import type { Mapping } from './import-header.ts'
import { recordImport } from './record-import.server.ts'
import {
  findStaffHeaderError,
  isStaffHeader,
  parseStaffHeader,
  STAFF_FIELD_NAMES,
  type StaffField,
  type StaffHeader,
} from './staff-fields.ts'
import { isUnusableId, planStaff, parseStaffRow, type StaffPlan, type StaffRow, type StoredStaff } from './staff-rows.ts'

export interface StaffImportOptions {
  readonly file: DirectoryFile
  /** The path of `file`, which the report must not overwrite. */
  readonly path: string
  readonly dryRun: boolean
  /** Marks missing people as gone even if they are more than half of all. */
  readonly allowGone: boolean
  readonly mappings: readonly Mapping<StaffField>[]
  readonly report: { readonly path: string; readonly always: boolean } | undefined
}

export interface StaffImportListener {
  /** What would be added, changed, left unchanged, marked and refused; called before anything is written. */
  onPlanned(outcome: StaffOutcome): void
  onWaiting(): void
  /** Throws if the import should stop; nothing has been written then. */
  throwIfStopped(): void
}

export interface StaffOutcome extends StaffPlan {
  readonly header: StaffHeader
  /** The lines of the valid rows, by PersonID. */
  readonly lines: ReadonlyMap<string, number>
  readonly refusals: readonly RefusedRow[]
  /** The number of invalid email addresses, which were left empty. */
  readonly wrongEmails: number
}

const BATCH_SIZE = 1000
/** The limit for the rows that are in memory together: a million employees. Each value counts a few more for its place. */
const MAX_KEPT_CHARACTERS = 67_108_864
const CHARACTERS_PER_VALUE = 8
/** If more than this share of the current people is missing from a file, it is probably the wrong one. */
const MAX_GONE_SHARE = 0.5

export const hasChanges = ({ added, changed, gone }: StaffPlan): boolean => added.length + changed.length + gone.length > 0

/** Fills our own HR table from a file of staff: all readable rows in one transaction, or none. A dry run writes nothing. */
export const importStaff = async (db: Db, options: StaffImportOptions, listener: StaffImportListener): Promise<StaffOutcome> => {
  await assertReportIsOtherFile(options)
  const read = await readStaffFile(options, listener)
  return db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx, LOCKS.directoryImport))) {
      listener.onWaiting()
      await sql`select pg_advisory_xact_lock(${LOCKS.directoryImport})`.execute(tx)
    }
    const hasUnusableIds = !options.allowGone && read.refusals.some(({ id }) => isUnusableId(id))
    const outcome = { ...read, ...planStaff(read.rows, read.refused, await listStoredStaff(tx), hasUnusableIds) }
    await writeReport(options, outcome)
    listener.onPlanned(outcome)
    if (!options.allowGone && outcome.gone.length > outcome.activeCount * MAX_GONE_SHARE) {
      throw new ImportError(
        `The file lacks ${outcome.gone.length.toLocaleString('en-US')} of the ${outcome.activeCount.toLocaleString('en-US')} people in the HR table, more than half: nothing was written. If it is the right file, add --allow-gone`,
      )
    }
    if (!options.dryRun) await writeStaff(tx, outcome, listener)
    await options.file.assertUnchanged()
    if (!options.dryRun && hasChanges(outcome)) {
      const { added, changed, gone, refusals } = outcome
      const counts = { added: added.length, changed: changed.length, gone: gone.length, refused: refusals.length }
      await recordImport(tx, { what: 'staff', file: options.file.name, ...counts })
    }
    return outcome
  })
}

/** Reads the whole file: if two rows have the same number, there is no way to tell which is right, so both are refused. */
const readStaffFile = async (options: StaffImportOptions, listener: StaffImportListener) => {
  const header = await findHeader(options, {
    parse: (line, cells) => parseStaffHeader(line, cells, options.mappings),
    isHeader: isStaffHeader,
    findError: (found) => findStaffHeaderError(found, options.mappings),
  })
  const taken = new Map<string, { row: StaffRow; line: number }>()
  let kept = 0
  /** A copy, because a text that was cut from a file keeps all that was read with it. */
  const keep = <T extends object>(texts: T): T => {
    for (const text of Object.values(texts) as (string | null)[]) kept += (text?.length ?? 0) + CHARACTERS_PER_VALUE
    if (kept > MAX_KEPT_CHARACTERS)
      throw new ImportError(`${options.path} takes too much memory: it has more rows than a directory of employees`)
    return JSON.parse(JSON.stringify(texts)) as T
  }
  const refusals: RefusedRow[] = []
  const refused = new Set<string>()
  const refuse = ({ line, cells }: Pick<FileRow, 'line' | 'cells'>, id: string, reasons: readonly string[]): void => {
    refusals.push({ line, id, reasons, cells: keep(cells) })
    if (id !== '') refused.add(id)
  }
  let rows = 0
  let wrongEmails = 0
  for await (const file of options.file.rows()) {
    if (file.line <= header.line || isBlankRow(file)) continue
    if (++rows % BATCH_SIZE === 0) listener.throwIfStopped()
    const read = parseStaffRow(padCells(options.file, file, header), header)
    if (file.error !== undefined) refuse(file, '', [file.error])
    else if (read.is === 'refused') refuse(file, read.id, read.reasons)
    else {
      const { row } = read
      const before = taken.get(row.PersonID)
      if (before) refuse(file, row.PersonID, [`The PersonID is also in line ${before.line}`])
      else taken.set(row.PersonID, { row: keep(row), line: file.line })
      wrongEmails += read.wrongEmails
    }
  }
  if (rows === 0) throw new ImportError(`${options.path} has a header and no rows`)
  const columns = new Map(STAFF_FIELD_NAMES.map((field) => [header.columns[field]?.[0], field]))
  for (const [id, { row, line }] of taken) {
    if (!refused.has(id)) continue
    taken.delete(id)
    const others = refusals.filter((one) => one.id === id).map(({ line }) => line)
    const cells = header.cells.map((_, at) => {
      const field = columns.get(at)
      return (field && row[field]) ?? ''
    })
    refuse({ line, cells }, id, [`The PersonID is also in line ${others.join(' and ')}`])
  }
  refusals.sort((a, b) => a.line - b.line)
  if (taken.size === 0) {
    const [first] = refusals
    throw new ImportError(`${options.path}: none of its rows can be imported; line ${first?.line}: ${first?.reasons.join('; ')}`)
  }
  return {
    header,
    rows: [...taken.values()].map(({ row }) => row),
    lines: new Map([...taken].map(([id, { line }]) => [id, line])),
    refusals,
    refused,
    wrongEmails,
  }
}

const listStoredStaff = async (db: Queryable): Promise<StoredStaff[]> =>
  db
    .selectFrom('hr_person')
    .select((eb) => [...STAFF_FIELD_NAMES, eb('goneAt', 'is not', null).$castTo<boolean>().as('gone')])
    .orderBy('PersonID')
    .execute()

const writeReport = async ({ report: reportOptions }: StaffImportOptions, { header, refusals }: StaffOutcome): Promise<void> => {
  if (!reportOptions) return
  const report = new CsvReport(reportOptions.path, toRefusedHeader(header.cells))
  try {
    if (reportOptions.always) await report.open()
    for (const refusal of refusals) await report.add(toRefusedCells(refusal))
  } finally {
    await report.close()
  }
}

/** Columns that the file does not have keep their stored values. */
const writeStaff = async (tx: Tx, { header, added, changed, gone }: StaffOutcome, listener: StaffImportListener): Promise<void> => {
  const fields = STAFF_FIELD_NAMES.filter((field) => header.columns[field] !== undefined)
  const columns = sql.join(fields.map((field) => sql.ref(field)))
  const types = sql.join(fields.map((field) => sql`${sql.ref(field)} text`))
  const values = sql.join(fields.map((field) => sql`${sql.ref(field)} = ${sql.ref(`excluded.${field}`)}`))
  const rows = [...added, ...changed.map(({ row }) => row)]
  for (let from = 0; from < rows.length; from += BATCH_SIZE) {
    listener.throwIfStopped()
    await sql`insert into hr_person (${columns})
      select ${columns} from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + BATCH_SIZE))}) as given(${types})
      on conflict ("PersonID") do update set ${values}, "goneAt" = null`.execute(tx)
  }
  listener.throwIfStopped()
  await sql`update hr_person set "goneAt" = now() where "PersonID" = any(${gone.map(({ PersonID }) => PersonID)}::text[])`.execute(tx)
}
