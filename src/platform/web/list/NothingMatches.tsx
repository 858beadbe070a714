import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { EmptyState, WaysOut } from '../kit/EmptyState.tsx'

interface NothingMatchesProps {
  icon: Icon
  /** The specification's words: 'No locations to display'. */
  title: string
  /** What the records are called: one, many, none ('Nothing' where not told). */
  noun: readonly [one: string, many: string, none?: string]
  /** How many there are at all. */
  all: number
  typed: string
  /** The filters that are on, each as it stands after 'Nothing': 'closed', 'of type Online'; null where one is off. */
  filters: readonly (string | null | undefined)[]
  /** Those the filter hides. */
  hidden: readonly { name: string; to: string }[]
  onClearSearch: () => void
  onClearFilter: () => void
}

const listed = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const said = (filters: NothingMatchesProps['filters']): readonly string[] =>
  filters.filter((filter) => filter !== null && filter !== undefined)

const why = ({ noun, all, typed, filters, hidden }: NothingMatchesProps): string => {
  const filter = listed.format(said(filters))
  const [one, many, none = 'Nothing'] = noun
  if (all === 0) return `There are no ${many} yet.`
  if (typed === '') return `${none} ${filter ? `is ${filter}` : 'is here'}.`
  const nothing = `${none} ${filter ? `${filter} ` : ''}matches “${typed}”.`
  if (!filter || hidden.length === 0) return nothing
  return hidden.length === 1 ? `${nothing} One other ${one} does.` : `${nothing} ${hidden.length} other ${many} do.`
}

/** An empty list: its words, which filter hides the hit, and the way out. */
export const NothingMatches = (props: NothingMatchesProps) => {
  const { icon, title, noun, all, typed, filters, hidden, onClearSearch, onClearFilter } = props
  const many = said(filters).length
  const filter = many > 0
  const only = hidden.length === 1 ? hidden[0] : undefined
  return (
    <EmptyState icon={icon} title={title}>
      <p>{why(props)}</p>
      {all === 0 ? null : (
        <WaysOut>
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
        </WaysOut>
      )}
    </EmptyState>
  )
}
