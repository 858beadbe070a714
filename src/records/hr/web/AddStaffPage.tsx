import { Button } from '@mantine/core'
import { IconUserPlus, IconUserSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'

import { getRecordPath } from '../../../contract/records.ts'
import { EmptyState, EmptyStateActions } from '../../../platform/web/kit/EmptyState.tsx'
import { LiveSearchField } from '../../../platform/web/kit/LiveSearchField.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { useListSearch } from '../../../platform/web/list/use-list-search.ts'
import { queryClient } from '../../../platform/web/queries.ts'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import type { Person } from '../../people/contract.ts'
import { MAX_EMPLOYEES } from '../contract.ts'
import type { StaffSearchResult } from '../contract.ts'
import { AddPersonModal } from './AddPersonModal.tsx'
import { EmployeeCard } from './EmployeeCard.tsx'
import { useEmployees, useKnownEmployees } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './AddStaffPage.module.css'

const highlightMatches = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])]

const EmployeeSkeleton = () => (
  <ul className={`${layoutClasses.grid} ${classes.cards}`} aria-hidden>
    {[1, 2, 3, 4].map((one) => (
      <li key={one} className={`${layoutClasses.framed} ${layoutClasses.sunkenGround} ${classes.skeleton}`} />
    ))}
  </ul>
)

/** `/add_staff`: finds someone in the HR source and adds them to the application. */
export const AddStaffPage = () => {
  const typed = useListSearch()
  const query = useEmployees(typed.text)
  const { data, failed, isLong, isOf } = query
  const found = isLong && !failed ? (data?.recordset ?? []) : []
  const { data: known } = useKnownEmployees(found)
  const [adding, setAdding] = useState<StaffSearchResult | 'somebody else' | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const searched = typed.text.trim()

  const onAdded = ({ name, slug }: Person) => {
    setAdding(null)
    showSuccess({
      text: `${name} was added.`,
      link: { to: `${getRecordPath({ kind: 'person', slug })}?move=1`, label: 'Give a role at a site' },
    })
    void queryClient.invalidateQueries()
    // The card now links to the person: focus moves to the next card.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.select()
    })
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const hits = highlightMatches(list.current)
    const at = hits.indexOf(document.activeElement as HTMLElement)
    if (step === undefined || at < 0) return
    event.preventDefault()
    if (at + step < 0) field.current?.focus()
    else hits[at + step]?.focus()
  }
  const addPersonPrompt = (
    <Button variant="default" leftSection={<IconUserPlus size={18} stroke={1.75} aria-hidden />} onClick={() => setAdding('somebody else')}>
      Add someone who is not in HR
    </Button>
  )

  return (
    <>
      <ListHead title="Add Staff Member" summary="Find an employee in HR and add them to Homeroom." />
      <search className={`${layoutClasses.block} ${classes.search}`}>
        <LiveSearchField
          field={field}
          label="Search employees"
          placeholder="Name, email or HR number"
          search={typed}
          query={query}
          found={found.length}
          most={MAX_EMPLOYEES}
          onDown={() => highlightMatches(list.current)[0]?.focus()}
        />
        {isLong && !data && !failed ? <EmployeeSkeleton /> : null}
        {found.length > 0 ? (
          <ul ref={list} className={`${layoutClasses.grid} ${classes.cards}`} aria-label="Employees found" aria-busy={!isOf}>
            {found.map((employee) => (
              <EmployeeCard
                key={employee.PersonID}
                employee={employee}
                typed={searched}
                slug={known?.get(employee.PersonID)?.slug}
                onOpen={setAdding}
                onKeyDown={move}
              />
            ))}
          </ul>
        ) : null}
      </search>
      {found.length > 0 || (isLong && !isOf && !failed) ? (
        <div className={layoutClasses.topMargin24}>{addPersonPrompt}</div>
      ) : (
        <EmptyState icon={IconUserSearch} title={isOf ? 'No employees to display' : 'Search for an employee'}>
          <p>
            {isOf
              ? `No one in HR matches “${searched}”. Check the spelling, or add the person yourself.`
              : 'Type at least two letters. People already added are marked.'}
          </p>
          <EmptyStateActions>{addPersonPrompt}</EmptyStateActions>
        </EmptyState>
      )}
      {adding ? (
        <AddPersonModal employee={adding === 'somebody else' ? null : adding} onAdded={onAdded} onClose={() => setAdding(null)} />
      ) : null}
    </>
  )
}
