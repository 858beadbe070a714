import { useEffect } from 'react'

import { useSearchParams } from '../search-params.ts'
import { focusField } from './focus-field.ts'

/** Goes to the field that the address names (`?field=overview.fein`) once the page or its form is drawn. */
export const useFieldInAddress = (): void => {
  const [{ field }] = useSearchParams()
  useEffect(() => {
    if (field) focusField(field)
  }, [field])
}
