import { toIsoDay, formatMomentDay } from '../../../contract/dates.ts'
import type { ListColumn, RecordList } from '../../../contract/lists.ts'
import { formatPhone } from '../../../contract/phones.ts'
import { isActive, isClosed, STATUS_LABELS } from '../../../contract/status.ts'
import type { Charter } from './contract.ts'

export const formatCharterPhone = ({ charterContactnumber: phone }: Charter): string | null => phone && formatPhone(phone)

const columns = [
  { key: 'name', label: 'Name', text: ({ name }) => name },
  { key: 'abbreviation', label: 'Abbreviation', text: ({ abbreviation }) => abbreviation },
  { key: 'brand', label: 'Brand', text: ({ brandName }) => brandName },
  { key: 'students', label: 'Students', text: ({ studentCount }) => studentCount, isNumber: true },
  { key: 'sites', label: 'Sites', text: ({ sites }) => sites.length, isNumber: true },
  { key: 'status', label: 'Status', text: ({ status }) => STATUS_LABELS[status] },
  {
    key: 'counted',
    label: 'Count changed',
    text: ({ studentCountUpdatedAt: at }, timeZone) => at && formatMomentDay(at, timeZone),
    day: ({ studentCountUpdatedAt: at }, timeZone) => at && toIsoDay(at, timeZone),
    order: ({ studentCountUpdatedAt: at }) => at && Date.parse(at),
  },
  { key: 'active', label: 'Active sites', text: ({ sites }) => sites.filter(({ status }) => isActive(status)).length, isNumber: true },
  { key: 'phone', label: 'Phone', text: formatCharterPhone },
  { key: 'website', label: 'Website', text: ({ charterWebsite }) => charterWebsite },
  { key: 'number', label: 'Charter number', text: ({ charter_number }) => charter_number },
  { key: 'grades', label: 'Grade levels', text: ({ charter_grade_levels }) => charter_grade_levels },
] as const satisfies readonly ListColumn<Charter>[]

/** Charters: open ones first. */
export const CHARTER_LIST = {
  columns,
  getSearchTexts: ({ name, abbreviation }) => [name, abbreviation],
  getRank: ({ status }) => Number(isClosed(status)),
  getName: ({ name }) => name,
} as const satisfies RecordList<Charter>
