import { Button } from '@mantine/core'
import type { Ref } from 'react'

import { isTransient, errorMessage } from '../failures.ts'
import type { ListSearch } from '../list/use-list-search.ts'
import { Notice } from './Notice.tsx'
import { SearchInput } from './SearchInput.tsx'

import classes from './LiveSearchField.module.css'
import textClasses from './Text.module.css'

interface LiveSearchFieldProps {
  field: Ref<HTMLInputElement>
  label: string
  placeholder: string
  search: ListSearch
  /** The number of results, once known. */
  status: string | null
  error: unknown
  isBusy: boolean
  onRetry: () => void
  /** Arrow Down moves to the results. */
  onDown?: () => void
}

/** A search-as-you-type field with the number of results or the error. Escape clears it. */
export const LiveSearchField = ({ field, label, placeholder, search, status, error, isBusy, onRetry, onDown }: LiveSearchFieldProps) => (
  <>
    <SearchInput
      field={field}
      label={label}
      placeholder={placeholder}
      type="text"
      search={search}
      onKeyDown={(event) => {
        if (event.key === 'Escape') search.setText('')
        if (event.key === 'ArrowDown' && onDown) {
          event.preventDefault()
          onDown()
        }
      }}
    />
    <p role="status" className={`${textClasses.detail} ${classes.count}`}>
      {error ? null : status}
    </p>
    {error ? (
      <Notice tone="bad" live>
        <span>{errorMessage(error)}</span>
        {isTransient(error) ? (
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={onRetry}>
            Retry
          </Button>
        ) : null}
      </Notice>
    ) : null}
  </>
)
