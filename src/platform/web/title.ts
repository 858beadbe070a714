import { useEffect } from 'react'

/** Sets the document title: 'Resource Centers - Homeroom'. It does not change while a record is loading. */
export const useTitle = (title: string | undefined): void =>
  useEffect(() => {
    if (title !== undefined) document.title = title ? `${title} - Homeroom` : 'Homeroom'
  }, [title])
