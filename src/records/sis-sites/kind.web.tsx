import { useMemo } from 'react'

import { toChoices } from '../../platform/web/form/choices.ts'
import { buildFormFields } from '../../platform/web/form/defined-fields.ts'
import { LoadedRecord } from '../../platform/web/kit/LoadedRecord.tsx'
import { RowSkeleton } from '../../platform/web/list/ListSkeleton.tsx'
import type { FieldGroup, RecordKindWeb, RenderFields } from '../../platform/web/record-kinds.ts'
import { useSiteSummaries } from '../sites/web/queries.ts'
import { updateSisSite } from './contract.ts'
import { SIS_FIELDS } from './fields.ts'

const Fields = ({ sites, children }: { sites: NonNullable<ReturnType<typeof useSiteSummaries>['data']>; children: RenderFields }) =>
  children({
    fields: useMemo(() => {
      const choices = toChoices(sites.map(({ _id, displayName }) => ({ _id, name: displayName })))
      return buildFormFields(SIS_FIELDS, {
        site: (label) => ({ kind: 'search', label, choices }),
        type_array: (label) => ({ kind: 'line', label }),
      })
    }, [sites]),
  })

const WithFields: FieldGroup['WithFields'] = ({ children }) => (
  <LoadedRecord query={useSiteSummaries()} what="list of sites" skeleton={<RowSkeleton />}>
    {(sites) => <Fields sites={sites}>{children}</Fields>}
  </LoadedRecord>
)

export const sisSiteKind: RecordKindWeb = {
  groups: [
    {
      title: 'SIS site',
      sheet: 'sis_sites',
      schema: updateSisSite.body,
      toSent: (path, value) =>
        path === 'type_array' && typeof value === 'string' ? value.split(/[;,]/).flatMap((one) => one.trim() || []) : value,
      WithFields,
    },
  ],
}
