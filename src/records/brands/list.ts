import type { EditableListColumn, ListColumn, RecordList } from '../../contract/lists.ts'
import type { CharterSummary } from '../../contract/references.ts'
import { isActive, isClosed, STATUS_LABELS } from '../../contract/status.ts'
import type { Brand } from './contract.ts'

const columns = [
  { key: 'name', label: 'Name', fields: ['brandName'], text: ({ brandName }) => brandName },
  { key: 'charters', label: 'Charters', fields: [], text: ({ charters }) => charters.length, isNumber: true },
  {
    key: 'active',
    label: 'Active charters',
    fields: [],
    text: ({ charters }) => charters.filter(({ status }) => isActive(status)).length,
    isNumber: true,
  },
  { key: 'website', label: 'Website', fields: ['websiteUrl'], text: ({ websiteUrl }) => websiteUrl },
  { key: 'enrollments', label: 'Enrollments URL', fields: ['EnrollmentsUrl'], text: ({ EnrollmentsUrl }) => EnrollmentsUrl },
  { key: 'status', label: 'Status', fields: ['status'], text: ({ status }) => STATUS_LABELS[status] },
] as const satisfies readonly EditableListColumn<Brand>[]

/** Brands: open ones first. */
export const BRAND_LIST = {
  columns,
  getSearchTexts: ({ brandName }) => [brandName],
  getRank: ({ status }) => Number(isClosed(status)),
  getName: ({ brandName }) => brandName,
} as const satisfies RecordList<Brand>

const chartersColumns = [
  { key: 'name', label: 'Charter', text: ({ name }) => name },
  { key: 'abbreviation', label: 'Abbreviation', text: ({ abbreviation }) => abbreviation },
  { key: 'status', label: 'Status', text: ({ status }) => STATUS_LABELS[status] },
  { key: 'students', label: 'Students', text: ({ studentCount }) => studentCount, isNumber: true },
  { key: 'sites', label: 'Sites', text: ({ siteCount }) => siteCount, isNumber: true },
  { key: 'active', label: 'Active sites', text: ({ activeSiteCount }) => activeSiteCount, isNumber: true },
] as const satisfies readonly ListColumn<CharterSummary>[]

/** The charters of one brand: open ones first. */
export const BRAND_CHARTERS_LIST = {
  columns: chartersColumns,
  getSearchTexts: ({ name, abbreviation }) => [name, abbreviation],
  getRank: ({ status }) => Number(isClosed(status)),
  getName: ({ name }) => name,
} as const satisfies RecordList<CharterSummary>
