import { useQuery } from '@tanstack/react-query'

import type { EditableKind } from '../../../../contract/records.ts'
import { callQueryOptions } from '../../../../platform/web/queries.ts'
import { readAffairPastDays, readPastDays } from '../contract.ts'

/** The days on which a record changed, and how the day of this page differs from today. */
export const usePastDays = (kind: EditableKind, _id: string) => {
  const ofAffair = useQuery({ ...callQueryOptions(readAffairPastDays, { params: { id: _id } }), enabled: kind === 'charter_affair' })
  const ofRecord = useQuery({
    ...callQueryOptions(readPastDays, { params: { kind: kind === 'charter_affair' ? 'charter' : kind, id: _id } }),
    enabled: kind !== 'charter_affair',
  })
  return kind === 'charter_affair' ? ofAffair : ofRecord
}
