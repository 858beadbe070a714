import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'

import { isPassing, sayFailure } from '../failures.ts'
import type { Typed } from '../list/useTyped.ts'
import { Notice } from './Notice.tsx'

import classes from './TypedSearch.module.css'

interface TypedSearchProps {
  field: Ref<HTMLInputElement>
  label: string
  placeholder: string
  typed: Typed
  /** How many were found, once that is known. */
  said: string | null
  failed: unknown
  isBusy: boolean
  onRetry: () => void
  /** The down arrow goes on to what was found. */
  onDown?: () => void
}

/** The field of a search that answers as one types, with how many it found, or why it could not. Escape empties it. */
export const TypedSearch = ({ field, label, placeholder, typed, said, failed, isBusy, onRetry, onDown }: TypedSearchProps) => (
  <>
    <TextInput
      ref={field}
      label={label}
      placeholder={placeholder}
      type="text"
      inputMode="search"
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
      value={typed.text}
      onChange={({ currentTarget: { value } }) => typed.type(value)}
      onFocus={typed.enter}
      onBlur={typed.leave}
      onKeyDown={(event) => {
        if (event.key === 'Escape') typed.type('')
        if (event.key === 'ArrowDown' && onDown) {
          event.preventDefault()
          onDown()
        }
      }}
    />
    <p role="status" className={classes.count}>
      {failed ? null : said}
    </p>
    {failed ? (
      <Notice tone="bad" live>
        <span>{sayFailure(failed)}</span>
        {isPassing(failed) ? (
          <Button size="compact-sm" variant="default" loading={isBusy} onClick={onRetry}>
            Retry
          </Button>
        ) : null}
      </Notice>
    ) : null}
  </>
)
