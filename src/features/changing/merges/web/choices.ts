import type { Choice, MergedField, MergePreview } from '../contract.ts'

/** What was chosen for a field: the value of one of the records, or a typed one. */
export type FieldChoice = Choice | { readonly typed: unknown }
export type FieldChoices = Readonly<Record<string, FieldChoice>>

export const getChoice = (field: MergedField, choices: FieldChoices): FieldChoice => choices[field.path] ?? field.suggested

/** The value that the record will have, and the name of the record it refers to. */
export const getTogether = (field: MergedField, choices: FieldChoices): { readonly value: unknown; readonly name: string | null } => {
  const choice = getChoice(field, choices)
  if (typeof choice === 'object') return { value: choice.typed, name: null }
  if (field.united && choices[field.path] === undefined) return { value: field.united, name: field.unitedName }
  return choice === 'keep' ? { value: field.keep, name: field.keepName } : { value: field.merge, name: field.mergeName }
}

/** The values that are sent: those that differ from what the record has without a choice. */
export const toValues = (fields: readonly MergedField[], choices: FieldChoices): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const choice = choices[field.path]
      return choice === undefined || choice === field.suggested ? [] : [[field.path, getTogether(field, choices).value]]
    }),
  )

/** Chooses the newer or the fuller value of each field that has one; lists stay united. */
export const chooseAll = ({ fields }: MergePreview, by: 'newer' | 'fuller'): FieldChoices =>
  Object.fromEntries(fields.flatMap((field) => (field[by] === null || field.united ? [] : [[field.path, field[by]]])))

/** 'person' and 'roles': what moves, in words. */
export const formatMoves = (moves: MergePreview['moves']): string =>
  moves.map(({ noun: [one, many], count }) => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`).join(', ')
