import { useEffect } from 'react'

/** Names the page in the browser's tab and history: 'Resource Centers - Homeroom'. Nothing changes while a record is loading. */
export const useTitle = (title: string | undefined): void =>
  useEffect(() => {
    if (title !== undefined) document.title = title ? `${title} - Homeroom` : 'Homeroom'
  }, [title])
