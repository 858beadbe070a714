import type { DeadlineFilter } from '../../deadlines/contract.ts'
import { DEADLINE_KINDS } from '../../deadlines/fields.ts'

/** 'My deadlines', 'California, all kinds', 'Deadlines of nobody, Petition'. */
export const formatCalendarName = ({ responsible, kind }: DeadlineFilter, region: string | undefined): string => {
  const kindName = kind === undefined ? undefined : DEADLINE_KINDS[kind].name
  const whose = responsible === 'me' ? 'My deadlines' : responsible === 'none' ? 'Nobody responsible' : undefined
  const parts = [whose, region, kindName].filter((part) => part !== undefined)
  if (parts.length === 0) return 'All deadlines'
  return whose === undefined && kindName === undefined ? `${parts.join(', ')}, all kinds` : parts.join(', ')
}

/** '9 deadlines', '1 deadline'. */
export const formatDeadlineCount = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'deadline' : 'deadlines'}`
