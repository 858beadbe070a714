import { type ReactNode, useMemo } from 'react'

import { type FormRecord, FormRecordContext } from '../live.ts'

/** Says which record a form is of, so that it learns of changes and of others who edit it. */
export const FormOf = ({ kind, _id, changedAs, children }: FormRecord & { readonly children: ReactNode }) => (
  <FormRecordContext value={useMemo(() => ({ kind, _id, changedAs }), [kind, _id, changedAs])}>{children}</FormRecordContext>
)
