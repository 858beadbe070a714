import { useQuery } from '@tanstack/react-query'

import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { type DeadlineText, listDeadlineTexts } from '../contract.ts'

/** The path of a text in the form of a charter affair: `overview.oversight_date`, or with the table and `_id` of a row. */
const toPath = ({ section, row, field }: DeadlineText): string => [section, row, field].filter(Boolean).join('.')

/** The texts by path. */
export const toDeadlineTextsByPath = (texts: readonly DeadlineText[]): ReadonlyMap<string, DeadlineText> =>
  new Map(texts.map((text) => [toPath(text), text]))

/** The texts of a charter's affair that have a deadline. */
export const useDeadlineTexts = (charter: string) => useQuery(callQueryOptions(listDeadlineTexts, { params: { id: charter } }))
