import { useEffect } from 'react'

import { useSearchParams } from '../search-params.ts'
import { focusField } from './focus-field.ts'

/** Scrolls to the field in the URL (`?field=overview.fein`) once the page or its form is rendered. */
export const useFieldInAddress = (): void => {
  const [{ field }] = useSearchParams()
  useEffect(() => {
    if (field) focusField(field)
  }, [field])
}
