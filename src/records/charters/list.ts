import { NotChecked, matchesNotChecked } from '../../contract/checks.ts'
import { toIsoDay, formatMomentDay } from '../../contract/dates.ts'
import {
  buildStatusGroupFilter,
  type EditableListColumn,
  type FilterValues,
  type RecordList,
  STATUS_GROUP_FILTERS,
} from '../../contract/lists.ts'
import { formatPhone } from '../../contract/phones.ts'
import { isActive, isClosed, STATUS_LABELS } from '../../contract/status.ts'
import type { Charter } from './contract.ts'

export const formatCharterPhone = ({ charterContactnumber: phone }: Charter): string | null => phone && formatPhone(phone)

const columns = [
  { key: 'name', label: 'Name', fields: ['name'], text: ({ name }) => name },
  { key: 'abbreviation', label: 'Abbreviation', fields: ['abbreviation'], text: ({ abbreviation }) => abbreviation },
  { key: 'brand', label: 'Brand', fields: ['brand'], text: ({ brandName }) => brandName },
  { key: 'students', label: 'Students', fields: ['studentCount'], text: ({ studentCount }) => studentCount, isNumber: true },
  { key: 'sites', label: 'Sites', fields: [], text: ({ sites }) => sites.length, isNumber: true },
  { key: 'status', label: 'Status', fields: ['status'], text: ({ status }) => STATUS_LABELS[status] },
  {
    key: 'counted',
    label: 'Count changed',
    fields: [],
    text: ({ studentCountUpdatedAt: at }, timeZone) => at && formatMomentDay(at, timeZone),
    day: ({ studentCountUpdatedAt: at }, timeZone) => at && toIsoDay(at, timeZone),
    order: ({ studentCountUpdatedAt: at }) => at && Date.parse(at),
  },
  {
    key: 'active',
    label: 'Active sites',
    fields: [],
    text: ({ sites }) => sites.filter(({ status }) => isActive(status)).length,
    isNumber: true,
  },
  { key: 'phone', label: 'Phone', fields: ['charterContactnumber'], text: formatCharterPhone },
  { key: 'website', label: 'Website', fields: ['charterWebsite'], text: ({ charterWebsite }) => charterWebsite },
  { key: 'number', label: 'Charter number', fields: ['charter_number'], text: ({ charter_number }) => charter_number },
  { key: 'grades', label: 'Grade levels', fields: ['charter_grade_levels'], text: ({ charter_grade_levels }) => charter_grade_levels },
  {
    key: 'types',
    label: 'School type URLs',
    fields: [],
    text: ({ schoolTypeUrls }) => schoolTypeUrls.map(({ name, url }) => `${name}: ${url}`).join('; '),
  },
] as const satisfies readonly EditableListColumn<Charter>[]

/** Charters: open ones first. */
export const CHARTER_LIST = {
  columns,
  getSearchTexts: ({ name, abbreviation }) => [name, abbreviation],
  getRank: ({ status }) => Number(isClosed(status)),
  getName: ({ name }) => name,
} as const satisfies RecordList<Charter>

/** The filters of the list. */
export const CHARTER_FILTERS = { ...STATUS_GROUP_FILTERS, unchecked: NotChecked }
export const buildCharterFilter = ({ status, unchecked }: FilterValues<typeof CHARTER_FILTERS>) => {
  const isInGroup = buildStatusGroupFilter({ status })
  return (charter: Charter): boolean => isInGroup(charter) && matchesNotChecked(unchecked, charter)
}
