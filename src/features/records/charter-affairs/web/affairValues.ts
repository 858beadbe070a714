import { z } from 'zod'

import { Problem } from '../../../../platform/contract/problem.ts'
import { send } from '../../../../platform/web/client.ts'
import type { FormField } from '../../../../platform/web/form/fields.ts'
import { withSignIn } from '../../../../platform/web/form/open-forms.ts'
import { StalePart } from '../../../../platform/web/form/parts.ts'
import type { Edit, Snapshot } from '../../../../platform/web/form/useEditForm.ts'
import type { FieldValue, Values } from '../../../../platform/web/form/values.ts'
import {
  addDistrict,
  addMember,
  affairSections,
  type AffairSection,
  type CharterAffair,
  type CharterWithAffair,
  NO_RECORD,
  removeDistrict,
  removeMember,
  saveCharterAffair,
  updateDistrict,
  updateMember,
} from '../contract.ts'
import { affairLabels, districtLabels, memberLabels, remarkOn, sectionTitles } from '../rules.ts'

// A charter affair as its form holds it: every text by its path, `overview.fein`, `center_district.{_id}.county`; what is being added to a
// list is its row `new`.

/** The lists of an affair, whose rows are records of their own. */
export type Part = 'authorizer_board_member' | 'center_district'
export const NEW = 'new'

interface PartOf {
  readonly labels: Readonly<Record<string, string>>
  /** The field a row is called by. */
  readonly name: string
  readonly one: string
}
export const PARTS: Readonly<Record<Part, PartOf>> = {
  authorizer_board_member: { labels: memberLabels, name: 'board_member_name', one: 'board member' },
  center_district: { labels: districtLabels, name: 'center_name', one: 'district' },
}
const partNames = Object.keys(PARTS) as Part[]
const sectionNames = Object.keys(affairSections) as AffairSection[]

const textOf = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '')

/** What a row is called: 'Wendell Obi', or 'District without a name'. */
export const nameOfRow = (part: Part, row: string, values: Values): string => {
  const { name, one } = PARTS[part]
  if (row === NEW) return `New ${one}`
  return textOf(values[`${part}.${row}.${name}`]).trim() || `${one.charAt(0).toUpperCase()}${one.slice(1)} without a name`
}

/** The rows of a list that the form knows, but for the one that is being added. */
export const rowsOf = (part: Part, values: Values): string[] => [
  ...new Set(
    Object.keys(values)
      .filter((path) => path.startsWith(`${part}.`))
      .map((path) => path.split('.')[1] ?? NEW)
      .filter((row) => row !== NEW),
  ),
]

const free = (name: string, label: string, of: string): FormField => ({
  kind: 'free',
  label,
  longLabel: `${of}, ${label}`,
  remark: (value) => remarkOn(name, textOf(value)),
})

const sectionFields: Readonly<Record<string, FormField>> = Object.fromEntries(
  sectionNames.flatMap((section) =>
    Object.entries<string>(affairLabels[section]).map(([name, label]) => [`${section}.${name}`, free(name, label, sectionTitles[section])]),
  ),
)

/** Every field of an affair's form, those of the rows it has included. */
export const affairFields = (base: Values): Readonly<Record<string, FormField>> => ({
  ...sectionFields,
  ...Object.fromEntries(
    partNames.flatMap((part) =>
      [...rowsOf(part, base), NEW].flatMap((row) =>
        Object.entries(PARTS[part].labels).map(([name, label]) => [
          `${part}.${row}.${name}`,
          free(name, label, nameOfRow(part, row, base)),
        ]),
      ),
    ),
  ),
})

const pathsOf = (of: string, names: readonly string[], values: object): [string, string][] => {
  const held = new Map(Object.entries(values))
  return names.map((name) => [`${of}.${name}`, textOf(held.get(name) as FieldValue | undefined)])
}

/** The texts of the sections by their paths. */
export const textsByPath = (affair: CharterAffair): Readonly<Record<string, string>> =>
  Object.fromEntries(sectionNames.flatMap((section) => pathsOf(section, Object.keys(affairLabels[section]), affair[section])))

/** An affair as its form takes it up; where there is none yet, all of it is empty. */
export const affairSnapshot = (charter: CharterWithAffair): Snapshot => {
  const affair = charter.charter_affair_info[0]
  const values = Object.fromEntries([
    ...sectionNames.flatMap((section) => pathsOf(section, Object.keys(affairLabels[section]), affair?.[section] ?? {})),
    ...partNames.flatMap((part) => [
      ...(affair?.[part] ?? []).flatMap((row) => pathsOf(`${part}.${row._id}`, Object.keys(PARTS[part].labels), row)),
      ...pathsOf(`${part}.${NEW}`, Object.keys(PARTS[part].labels), {}),
    ]),
  ])
  const parts = Object.fromEntries(
    partNames.flatMap((part) => (affair?.[part] ?? []).map(({ _id, version }) => [`${part}.${_id}`, version] as const)),
  )
  const { updatedAt, updatedBy } = affair ? newestChange(affair) : { updatedAt: '', updatedBy: null }
  return { values, parts, version: affair?.version ?? NO_RECORD, updatedAt, updatedBy }
}

/** The newest change of an affair or of a row of its lists. */
export const newestChange = (affair: CharterAffair): { updatedAt: string; updatedBy: string | null } =>
  [affair, ...affair.authorizer_board_member, ...affair.center_district].reduce((newest, one) =>
    Date.parse(one.updatedAt) > Date.parse(newest.updatedAt) ? one : newest,
  )

const section = (of: string, names: readonly string[], values: Values): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, textOf(values[`${of}.${name}`])]))

/** What the form holds, in the shape of the record: what its filter looks through. */
export const affairOf = (values: Values): Record<AffairSection, object> & Record<Part, { _id: string }[]> => ({
  ...(Object.fromEntries(sectionNames.map((name) => [name, section(name, Object.keys(affairLabels[name]), values)])) as Record<
    AffairSection,
    object
  >),
  ...(Object.fromEntries(
    partNames.map((part) => [
      part,
      rowsOf(part, values).map((_id) => ({ _id, ...section(`${part}.${_id}`, Object.keys(PARTS[part].labels), values) })),
    ]),
  ) as Record<Part, { _id: string }[]>),
})

/** The one rule of the whole form, put together from those of its calls. */
export const affairSchema = saveCharterAffair.body.extend({
  authorizer_board_member: z.record(z.string(), addMember.body).optional(),
  center_district: z.record(z.string(), addDistrict.body).optional(),
})

/** The same, saying who changed that one part last. */
export const seenAt = (now: Snapshot, charter: CharterWithAffair, path: string | null): Snapshot => {
  const affair = charter.charter_affair_info[0]
  const [part, row] = (path ?? '').split('.') as [Part | '', string?]
  const found = part === '' ? affair : affair?.[part].find(({ _id }) => _id === row)
  return found ? { ...now, updatedAt: found.updatedAt, updatedBy: found.updatedBy } : now
}

/** Rows that somebody else has deleted keep what was typed into them here: they go on as they were seen. */
export const withGoneRows = (now: Snapshot, seen: Values): Snapshot => {
  const isGone = ([path]: [string, unknown]): boolean => {
    const [part, row] = path.split('.')
    return part !== undefined && part in PARTS && row !== NEW && !(`${part}.${row}` in (now.parts ?? {}))
  }
  return { ...now, values: { ...now.values, ...Object.fromEntries(Object.entries(seen).filter(isGone)) } }
}

type Rows = Readonly<Record<string, Record<string, string>>>
const put = { authorizer_board_member: updateMember, center_district: updateDistrict }
const post = { authorizer_board_member: addMember, center_district: addDistrict }

/** Says of a row's field what the server says of it, where the form has it. */
const under =
  (path: string) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || !error.errors) throw error
    throw new Problem(error.status, error.message, { errors: error.errors.map((one) => ({ ...one, path: `${path}.${one.path}` })) })
  }
const GONE = 404
const CONFLICT = 409
const STALE = 412

const isProblem = (error: unknown, status: number): boolean => error instanceof Problem && error.status === status
/** Says which of several parts somebody else has saved, or deleted: the form looks again either way. */
const staleAs =
  (part: string) =>
  (error: unknown): never => {
    if (isProblem(error, STALE) || isProblem(error, GONE)) throw new StalePart(part)
    return under(part)(error)
  }

/** Adds a row to a list. */
export const addRow = (charter: string, part: Part, fields: Record<string, string>): Promise<CharterWithAffair> =>
  withSignIn(() => send(post[part], { params: { id: charter }, body: fields }))

/**
 * Sends what was changed and nothing else: the sections, each row, then what is added. `isSaved` hears of each as soon as it is, so that nothing
 * is ever sent twice. Answers with the charter and its affair as they are then.
 */
export const sendAffair = async (
  charter: string,
  { body, version, parts = {} }: Edit,
  isSaved: (answer: CharterWithAffair, saved: readonly string[]) => void,
): Promise<CharterWithAffair> => {
  const params = { id: charter }
  const changed = body as Partial<Record<AffairSection, Record<string, string>> & Record<Part, Rows>>
  const rows = partNames.flatMap((part) =>
    Object.entries(changed[part] ?? {}).map(([row, fields]) => ({ part, row, fields, path: `${part}.${row}` })),
  )
  const gone = rows.find(({ row, path }) => row !== NEW && !(path in parts))
  if (gone)
    throw new Problem(CONFLICT, `A ${PARTS[gone.part].one} you changed was deleted by someone else. Add it again, or discard your changes`)
  const based = (seen: number | undefined) => (seen === undefined ? {} : { version: seen })
  const told = (answer: CharterWithAffair, ...saved: string[]): CharterWithAffair => {
    isSaved(answer, saved)
    return answer
  }
  const sections = Object.fromEntries(Object.entries(changed).filter(([name]) => !(name in PARTS)))
  let answer: CharterWithAffair | undefined
  if (Object.keys(sections).length > 0 || rows.length === 0)
    answer = told(await withSignIn(() => send(saveCharterAffair, { params, body: sections, ...based(version) })), ...sectionNames)
  for (const { part, row, fields, path } of rows.filter((one) => one.row !== NEW)) {
    const sent = withSignIn(() => send(put[part], { params, body: { _id: row, ...fields }, ...based(parts[path]) }))
    answer = told(await sent.catch(staleAs(path)), path)
  }
  for (const { part, fields, path } of rows.filter((one) => one.row === NEW))
    answer = told(await addRow(charter, part, fields).catch(under(path)), path)
  return answer as CharterWithAffair
}

/** Deletes a row, as long as it is what was seen. */
export const deleteRow = (charter: string, part: Part, row: string, version: number): Promise<CharterWithAffair> =>
  part === 'authorizer_board_member'
    ? send(removeMember, { params: { id: charter, memberId: row }, version })
    : send(removeDistrict, { params: { id: charter, districtId: row }, version })
