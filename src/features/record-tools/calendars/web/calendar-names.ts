import type { DeadlineSearch } from '../../deadlines/contract.ts'
import { DEADLINE_KINDS } from '../../deadlines/fields.ts'

/** 'My deadlines', 'California, all kinds', '“renewal”, all kinds', 'Deadlines of nobody, Petition'. */
export const formatCalendarName = ({ responsible, kind, q }: DeadlineSearch, region: string | undefined): string => {
  const kindName = kind === undefined ? undefined : DEADLINE_KINDS[kind].name
  const responsibleName = responsible === 'me' ? 'My deadlines' : responsible === 'none' ? 'Nobody responsible' : undefined
  const parts = [responsibleName, region, q === undefined ? undefined : `“${q.slice(0, 40)}”`, kindName].filter(
    (part) => part !== undefined,
  )
  if (parts.length === 0) return 'All deadlines'
  return responsibleName === undefined && kindName === undefined ? `${parts.join(', ')}, all kinds` : parts.join(', ')
}
