import { z } from 'zod'

import { Problem } from '../../../contract/problem.ts'
import { NEW_ROW } from '../../../contract/records.ts'
import { send } from '../../../platform/web/client.ts'
import type { FormField, FieldsByPath } from '../../../platform/web/form/fields.ts'
import { withSignIn } from '../../../platform/web/form/open-forms.ts'
import { StalePartError } from '../../../platform/web/form/record-parts.ts'
import type { RecordSnapshot } from '../../../platform/web/form/record-parts.ts'
import type { FormEdit } from '../../../platform/web/form/use-edit-form.ts'
import { type FieldValue, type Values, toText } from '../../../platform/web/form/values.ts'
import {
  addDistrict,
  addMember,
  type CharterAffair,
  type CharterWithAffair,
  NO_RECORD,
  removeDistrict,
  removeMember,
  saveCharterAffair,
  updateDistrict,
  updateMember,
  AFFAIR_SECTIONS,
} from '../contract.ts'
import { type AffairSection, affairLabels, districtLabels, memberLabels, sectionTitles } from '../fields.ts'
import { getFormatHint } from '../rules.ts'

// The form holds every text of a charter affair by its path: `overview.fein`, `center_district.{_id}.county`. A row that is being added has
// the id `new`.

/** The lists of an affair, whose rows are separate records. */
export type AffairList = 'authorizer_board_member' | 'center_district'

interface AffairListOptions {
  readonly labels: Readonly<Record<string, string>>
  /** The field with the name of a row. */
  readonly name: string
  readonly one: string
}
export const AFFAIR_LISTS: Readonly<Record<AffairList, AffairListOptions>> = {
  authorizer_board_member: { labels: memberLabels, name: 'board_member_name', one: 'board member' },
  center_district: { labels: districtLabels, name: 'center_name', one: 'district' },
}
const LIST_NAMES = Object.keys(AFFAIR_LISTS) as AffairList[]
/** The name of a row: 'Wendell Obi', or 'District without a name'. */
export const getRowName = (part: AffairList, row: string, values: Values): string => {
  const { name, one } = AFFAIR_LISTS[part]
  if (row === NEW_ROW) return `New ${one}`
  return toText(values[`${part}.${row}.${name}`]).trim() || `${one.charAt(0).toUpperCase()}${one.slice(1)} without a name`
}

/** The ids of the rows of a list in the form, except for the new one. */
export const listRows = (part: AffairList, values: Values): string[] => [
  ...new Set(
    Object.keys(values)
      .filter((path) => path.startsWith(`${part}.`))
      .map((path) => path.split('.')[1] ?? NEW_ROW)
      .filter((row) => row !== NEW_ROW),
  ),
]

const buildTextField = (name: string, label: string, of: string): FormField => ({
  kind: 'free',
  label,
  longLabel: `${of}, ${label}`,
  note: (value) => getFormatHint(name, toText(value)),
})

const sectionFields: FieldsByPath = Object.fromEntries(
  AFFAIR_SECTIONS.flatMap((section) =>
    Object.entries<string>(affairLabels[section]).map(([name, label]) => [
      `${section}.${name}`,
      buildTextField(name, label, sectionTitles[section]),
    ]),
  ),
)

/** The fields of the form, including those of its rows. */
export const buildAffairFields = (base: Values): FieldsByPath => ({
  ...sectionFields,
  ...Object.fromEntries(
    LIST_NAMES.flatMap((part) =>
      [...listRows(part, base), NEW_ROW].flatMap((row) =>
        Object.entries(AFFAIR_LISTS[part].labels).map(([name, label]) => [
          `${part}.${row}.${name}`,
          buildTextField(name, label, getRowName(part, row, base)),
        ]),
      ),
    ),
  ),
})

const listEntries = (of: string, names: readonly string[], values: object): [string, string][] => {
  const held = new Map(Object.entries(values))
  return names.map((name) => [`${of}.${name}`, toText(held.get(name) as FieldValue | undefined)])
}

/** The texts of the sections by path. */
export const toTextsByPath = (affair: CharterAffair): Readonly<Record<string, string>> =>
  Object.fromEntries(AFFAIR_SECTIONS.flatMap((section) => listEntries(section, Object.keys(affairLabels[section]), affair[section])))

/** The initial state of the form; empty if there is no affair yet. */
export const toAffairSnapshot = (charter: CharterWithAffair): RecordSnapshot => {
  const affair = charter.charter_affair_info[0]
  const values = Object.fromEntries([
    ...AFFAIR_SECTIONS.flatMap((section) => listEntries(section, Object.keys(affairLabels[section]), affair?.[section] ?? {})),
    ...LIST_NAMES.flatMap((part) => [
      ...(affair?.[part] ?? []).flatMap((row) => listEntries(`${part}.${row._id}`, Object.keys(AFFAIR_LISTS[part].labels), row)),
      ...listEntries(`${part}.${NEW_ROW}`, Object.keys(AFFAIR_LISTS[part].labels), {}),
    ]),
  ])
  const parts = Object.fromEntries(
    LIST_NAMES.flatMap((part) => (affair?.[part] ?? []).map(({ _id, version }) => [`${part}.${_id}`, version] as const)),
  )
  const { updatedAt, updatedBy } = affair ? findLatestChange(affair) : { updatedAt: '', updatedBy: null }
  return { values, parts, version: affair?.version ?? NO_RECORD, updatedAt, updatedBy }
}

/** The latest change of an affair or of a row of its lists. */
export const findLatestChange = (affair: CharterAffair): { updatedAt: string; updatedBy: string | null } =>
  [affair, ...affair.authorizer_board_member, ...affair.center_district].reduce((newest, one) =>
    Date.parse(one.updatedAt) > Date.parse(newest.updatedAt) ? one : newest,
  )

const section = (of: string, names: readonly string[], values: Values): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, toText(values[`${of}.${name}`])]))

/** The values of an earlier suggestion as form values; a new row as separate fields. */
export const toAffairStart = (suggested: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(suggested).flatMap(([path, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([name, text]) => [`${path}.${name}`, toText(text as FieldValue)] as const)
        : [[path, toText(value as FieldValue)] as const],
    ),
  )

/** The values of the form in the shape of the record, for the filter. */
export const toAffair = (values: Values): Record<AffairSection, object> & Record<AffairList, { _id: string }[]> => ({
  ...(Object.fromEntries(AFFAIR_SECTIONS.map((name) => [name, section(name, Object.keys(affairLabels[name]), values)])) as Record<
    AffairSection,
    object
  >),
  ...(Object.fromEntries(
    LIST_NAMES.map((part) => [
      part,
      listRows(part, values).map((_id) => ({ _id, ...section(`${part}.${_id}`, Object.keys(AFFAIR_LISTS[part].labels), values) })),
    ]),
  ) as Record<AffairList, { _id: string }[]>),
})

/** The schema of the form, combined from those of its calls. */
export const affairSchema = saveCharterAffair.body.extend({
  authorizer_board_member: z.record(z.string(), addMember.body).optional(),
  center_district: z.record(z.string(), addDistrict.body).optional(),
})

/** The snapshot with the latest editor of one part. */
export const withLatestEditor = (now: RecordSnapshot, charter: CharterWithAffair, path: string | null): RecordSnapshot => {
  const affair = charter.charter_affair_info[0]
  const [part, row] = (path ?? '').split('.') as [AffairList | '', string?]
  const found = part === '' ? affair : affair?.[part].find(({ _id }) => _id === row)
  return found ? { ...now, updatedAt: found.updatedAt, updatedBy: found.updatedBy } : now
}

/** Keeps rows that someone else deleted in the form, so that what was typed into them is not lost. */
export const withDeletedRows = (now: RecordSnapshot, seen: Values): RecordSnapshot => {
  const isGone = ([path]: [string, unknown]): boolean => {
    const [part, row] = path.split('.')
    return part !== undefined && part in AFFAIR_LISTS && row !== NEW_ROW && !(`${part}.${row}` in (now.parts ?? {}))
  }
  return { ...now, values: { ...now.values, ...Object.fromEntries(Object.entries(seen).filter(isGone)) } }
}

type ChangedRows = Readonly<Record<string, Record<string, string>>>
const UPDATE_CALLS = { authorizer_board_member: updateMember, center_district: updateDistrict }
const ADD_CALLS = { authorizer_board_member: addMember, center_district: addDistrict }

/** Moves the field errors of a row under its path in the form. */
const rethrowUnder =
  (path: string) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || !error.errors) throw error
    throw new Problem(error.status, error.message, { errors: error.errors.map((one) => ({ ...one, path: `${path}.${one.path}` })) })
  }
const NOT_FOUND = 404
const CONFLICT = 409
const PRECONDITION_FAILED = 412

const hasStatus = (error: unknown, status: number): boolean => error instanceof Problem && error.status === status
/** Reports which part someone else saved or deleted, so that the form reloads it. */
const rethrowStale =
  (part: string) =>
  (error: unknown): never => {
    if (hasStatus(error, PRECONDITION_FAILED) || hasStatus(error, NOT_FOUND)) throw new StalePartError(part)
    return rethrowUnder(part)(error)
  }

/** Creates a row of a list. */
export const createRow = (charter: string, part: AffairList, fields: Record<string, string>, saves: string[]): Promise<CharterWithAffair> =>
  withSignIn(() => send(ADD_CALLS[part], { params: { id: charter }, body: fields, saves }))

/**
 * Sends only what was changed: the sections, each row, then new rows. `isSaved` is called after each, so that nothing is sent twice. Returns the
 * charter with its affair after the last call.
 */
export const saveAffair = async (
  charter: string,
  { body, version, parts = {}, saves }: FormEdit,
  isSaved: (answer: CharterWithAffair, saved: readonly string[]) => void,
): Promise<CharterWithAffair> => {
  const params = { id: charter }
  const changed = body as Partial<Record<AffairSection, Record<string, string>> & Record<AffairList, ChangedRows>>
  const rows = LIST_NAMES.flatMap((part) =>
    Object.entries(changed[part] ?? {}).map(([row, fields]) => ({ part, row, fields, path: `${part}.${row}` })),
  )
  const deletedRow = rows.find(({ row, path }) => row !== NEW_ROW && !(path in parts))
  if (deletedRow)
    throw new Problem(
      CONFLICT,
      `A ${AFFAIR_LISTS[deletedRow.part].one} you changed was deleted by someone else. Add it again, or discard your changes`,
    )
  const based = (seen: number | undefined) => (seen === undefined ? {} : { version: seen })
  const markSaved = (answer: CharterWithAffair, ...saved: string[]): CharterWithAffair => {
    isSaved(answer, saved)
    return answer
  }
  const sections = Object.fromEntries(Object.entries(changed).filter(([name]) => !(name in AFFAIR_LISTS)))
  let answer: CharterWithAffair | undefined
  if (Object.keys(sections).length > 0 || rows.length === 0)
    answer = markSaved(
      await withSignIn(() => send(saveCharterAffair, { params, body: sections, saves, ...based(version) })),
      ...AFFAIR_SECTIONS,
    )
  for (const { part, row, fields, path } of rows.filter((one) => one.row !== NEW_ROW)) {
    const sent = withSignIn(() => send(UPDATE_CALLS[part], { params, body: { _id: row, ...fields }, saves, ...based(parts[path]) }))
    answer = markSaved(await sent.catch(rethrowStale(path)), path)
  }
  for (const { part, fields, path } of rows.filter((one) => one.row === NEW_ROW))
    answer = markSaved(await createRow(charter, part, fields, saves).catch(rethrowUnder(path)), path)
  return answer as CharterWithAffair
}

/** Deletes a row if its version is unchanged. */
export const sendRowDeletion = (
  charter: string,
  part: AffairList,
  row: string,
  sent: { readonly version: number; readonly saves: string[] },
): Promise<CharterWithAffair> =>
  part === 'authorizer_board_member'
    ? send(removeMember, { params: { id: charter, memberId: row }, ...sent })
    : send(removeDistrict, { params: { id: charter, districtId: row }, ...sent })
