import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { Noun } from '../../../contract/format.ts'
import { EmptyState, EmptyStateActions } from '../kit/EmptyState.tsx'

interface NothingMatchesProps {
  icon: Icon
  /** The message: 'No locations to display'. */
  title: string
  /** The singular and plural of the noun. */
  noun: Noun
  /** The total number. */
  all: number
  typed: string
  /** The active filter that precedes the noun: 'closed', 'open support'; null if off. */
  kind?: string | null | undefined
  /** The active filters that follow the noun: 'of type Online'; null for each that is off. */
  filters: readonly (string | null | undefined)[]
  /** Matches that the filters hide. */
  hidden: readonly { name: string; to: string }[]
  /** What belongs there, while there is none at all. */
  beginning?: ReactNode
  onClearSearch: () => void
  onClearFilter: () => void
}

const listFilterLabels = (filters: NothingMatchesProps['filters']): readonly string[] =>
  filters.filter((filter) => filter !== null && filter !== undefined)
const countOf = ({ kind, filters }: Pick<NothingMatchesProps, 'kind' | 'filters'>): number =>
  listFilterLabels(filters).length + (kind ? 1 : 0)

/** 'No closed sites in Ohio', '26 people with the role Principal' */
export const describeRecords = (count: string, noun: string, { kind, filters }: Pick<NothingMatchesProps, 'kind' | 'filters'>): string =>
  [count, kind, noun, new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(listFilterLabels(filters))].filter(Boolean).join(' ')

const why = ({ noun: [one, many], all, typed, kind, filters, hidden }: NothingMatchesProps): string => {
  if (all === 0) return `There are no ${many} yet.`
  const none = describeRecords('No', many, { kind, filters })
  if (typed === '') return `${none}.`
  const nothing = `${none} match “${typed}”.`
  if (hidden.length === 0 || countOf({ kind, filters }) === 0) return nothing
  return hidden.length === 1
    ? `${nothing} 1 other ${one} matches without the filters.`
    : `${nothing} ${hidden.length} other ${many} match without the filters.`
}

/** An empty list: the message, which filter hides matches, and how to clear it. */
export const NothingMatches = (props: NothingMatchesProps) => {
  const { icon, title, noun, all, typed, hidden, beginning = null, onClearSearch, onClearFilter } = props
  const many = countOf(props)
  const filter = many > 0
  const only = hidden.length === 1 ? hidden[0] : undefined
  return (
    <EmptyState icon={icon} title={title}>
      <p>{why(props)}</p>
      {all === 0 ? (
        beginning
      ) : (
        <EmptyStateActions>
          {typed !== '' && filter && only ? (
            <Button component={Link} to={only.to}>
              Show {only.name}
            </Button>
          ) : null}
          {typed !== '' && filter && hidden.length > 1 ? (
            <Button onClick={onClearFilter}>
              Show all {hidden.length} {noun[1]}
            </Button>
          ) : null}
          <Button
            variant="default"
            onClick={() => {
              if (typed === '') onClearFilter()
              else onClearSearch()
            }}
          >
            {typed === '' ? `Show all ${noun[1]}` : filter ? `Clear search and ${many > 1 ? 'filters' : 'filter'}` : 'Clear search'}
          </Button>
        </EmptyStateActions>
      )}
    </EmptyState>
  )
}
