import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { ComponentType } from 'react'

import { buildPagePath } from '../../../../contract/pages.ts'
import { getRecordPath } from '../../../../contract/records.ts'
import type { Named } from '../../../../contract/references.ts'
import type { SearchParams } from '../../../../platform/web/search-params.ts'
import type { Deadline } from '../contract.ts'

interface FieldPath {
  readonly section: string | null
  readonly field: string | null
  readonly row: string | null
}

/** Data about records that the deadline pages need. Records belong to higher groups, so the app passes it in. */
export interface DeadlineRecords {
  readonly PersonPicker: ComponentType<{ label: string; chosen: Named | null; isFirst?: boolean; onChoose: (person: Named | null) => void }>
  /** Selects a charter or a site. */
  readonly RecordPicker: ComponentType<{ error: string | undefined; onChoose: (chosen: { charter?: string; site?: string }) => void }>
  /** The filter by one site. */
  readonly SitePicker: ComponentType<{ chosen: string | undefined; onChoose: (slug: string | undefined) => void }>
  /** The choices of the filters. */
  readonly choices: Readonly<Record<'regions' | 'charters', readonly (Named & { readonly slug: string })[]>>
  /** The query that `charterOfSite` comes from. */
  readonly chartersQuery: UseQueryResult
  /** The charter of each site, by the `_id` of the site. */
  readonly charterOfSite: ReadonlyMap<string, Named & { readonly slug: string }>
  /** The label of the field that a deadline is extracted from. */
  readonly getFieldLabel: (path: Pick<FieldPath, 'section' | 'field'>) => string
  /** The title of a section of a charter affair. */
  readonly getSectionTitle: (section: string) => string
  /** Replaces the text of a field of a charter affair; throws if someone changed it in the meantime. */
  readonly replaceText: (path: { charter: string; section: string; field: string }, before: string | null, text: string) => Promise<void>
}

export const DeadlineRecordsContext = createContext<DeadlineRecords | null>(null)

export const useDeadlineRecords = (): DeadlineRecords => {
  const records = use(DeadlineRecordsContext)
  if (!records) throw new Error('DeadlineRecordsContext is missing')
  return records
}

interface PageAddress {
  readonly to: string
  readonly search: SearchParams
}

/** The page of a field, which scrolls to it. */
export const getFieldAddress = (
  { charter, site, section, field, row }: { charter: { slug: string } | null; site: { slug: string } | null } & FieldPath,
  { isEdit = false } = {},
): PageAddress => {
  const edit: SearchParams = isEdit ? { edit: '1' } : {}
  if (charter)
    return {
      to: getRecordPath({ kind: 'charter_affair', slug: charter.slug }),
      search: { ...edit, field: [section, row, field].filter(Boolean).join('.') },
    }
  return { to: buildPagePath('/location/fac/$slug', site?.slug ?? ''), search: { ...edit, field: field ?? '' } }
}

/** The page of a charter or a site. */
export const getRecordAddress = ({ charter, site }: Pick<Deadline, 'charter' | 'site'>): PageAddress => ({
  to: charter ? getRecordPath({ kind: 'charter', slug: charter.slug }) : getRecordPath({ kind: 'site', slug: site?.slug ?? '' }),
  search: {},
})

/** The source of a deadline: its field, or the charter or site of one that people added. */
export const getSourceAddress = ({ source, charter, site }: Pick<Deadline, 'source' | 'charter' | 'site'>): PageAddress =>
  source === null || source.record === 'custom' ? getRecordAddress({ charter, site }) : getFieldAddress({ charter, site, ...source })
