import { Button } from '@mantine/core'
import type { Ref } from 'react'

import { isTransient, errorMessage } from '../failures.ts'
import type { ListSearch } from '../list/use-list-search.ts'
import { formatFoundCount } from '../use-search-as-you-type.ts'
import { Notice } from './Notice.tsx'
import { SearchInput } from './SearchInput.tsx'

import classes from './LiveSearchField.module.css'
import textClasses from './Text.module.css'

interface LiveSearchFieldProps {
  field: Ref<HTMLInputElement>
  label: string
  placeholder: string
  search: ListSearch
  query: { failed: Error | null; isOf: boolean; isFetching: boolean; refetch: () => unknown }
  /** How many people were found, and the limit of a search. */
  found: number
  most: number
  /** Arrow Down moves to the results. */
  onDown?: () => void
}

/** A search-as-you-type field with the number of results or the error. Escape clears it. */
export const LiveSearchField = ({ field, label, placeholder, search, query, found, most, onDown }: LiveSearchFieldProps) => (
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
      {query.isOf && !query.failed ? formatFoundCount(found, most) : null}
    </p>
    {query.failed ? (
      <Notice tone="bad" live>
        <span>{errorMessage(query.failed)}</span>
        {isTransient(query.failed) ? (
          <Button size="compact-sm" variant="default" loading={query.isFetching} onClick={() => void query.refetch()}>
            Retry
          </Button>
        ) : null}
      </Notice>
    ) : null}
  </>
)
