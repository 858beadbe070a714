import { IconUsers } from '@tabler/icons-react'
import { useMemo } from 'react'

import { useAddress } from '../../../platform/web/address.ts'
import { CardBones } from '../../../platform/web/list/Bones.tsx'
import { CardGrid } from '../../../platform/web/list/CardGrid.tsx'
import { Chips, FilterChoice, Filters, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { useMatching, useTyped } from '../../../platform/web/list/useTyped.ts'
import type { Person, RoleGroup } from '../contract.ts'
import { PersonCard } from './PersonCard.tsx'
import { usePeopleOfGroup, useRolesOfGroup } from './queries.ts'

const none: readonly Person[] = []
const names = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
const textsOf = ({ name }: Person) => [name]
const heightOf = (_width: number, rem: number, narrow: boolean) => (narrow ? 5.5 * rem : 8.5 * rem + 4)

/** Staff of one of the two groups (section 6), with search and a role filter. */
export const StaffList = ({ title, group }: { title: string; group: RoleGroup }) => {
  const query = usePeopleOfGroup(group)
  const { data: roles = [] } = useRolesOfGroup(group)
  const [{ role: inAddress }, change] = useAddress()
  const typed = useTyped()
  const role = inAddress || undefined

  const people = useMemo(() => (query.data ?? none).toSorted((a, b) => names.compare(a.name, b.name)), [query.data])
  const found = useMatching(people, textsOf, typed.wanted)
  const shown = useMemo(
    () => (role === undefined ? found : found.filter((person) => person.roles.some((held) => held.name === role))),
    [found, role],
  )

  return (
    <>
      <ListHead
        title={title}
        summary={query.data && `${people.length.toLocaleString('en-US')} ${people.length === 1 ? 'person' : 'people'}`}
        failed={query.isError}
      />
      <Filters>
        <SearchField label="Name of a person" typed={typed} />
        <Chips label="Filters">
          <FilterChoice
            label="Role"
            all="All roles"
            choices={roles.map((one) => one.name)}
            chosen={role}
            onChoose={(chosen) => change({ role: chosen })}
          />
        </Chips>
      </Filters>
      <MatchCount matching={query.data && shown.length} all={query.data?.length} />
      <LoadedList query={query} skeleton={<CardBones least={19} />}>
        {() =>
          shown.length > 0 ? (
            <CardGrid label={title} records={shown} keyOf={(person) => person._id} least={19} gap={[16, 10]} heightOf={heightOf}>
              {(person) => <PersonCard person={person} />}
            </CardGrid>
          ) : (
            <NothingMatches
              icon={IconUsers}
              title="No people to display"
              noun={['person', 'people', 'Nobody']}
              all={people.length}
              typed={typed.wanted.trim()}
              filter={role ? `with the role ${role}` : null}
              hidden={found.map(({ name, slug }) => ({ name, to: `/staff/${slug}` }))}
              onClearSearch={() => change({ q: undefined, role: undefined })}
              onClearFilter={() => change({ role: undefined })}
            />
          )
        }
      </LoadedList>
    </>
  )
}
