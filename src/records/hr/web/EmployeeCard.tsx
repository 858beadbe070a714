import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { KeyboardEventHandler, ReactNode } from 'react'

import { highlightText } from '../../../platform/web/highlight.ts'
import { Avatar } from '../../../platform/web/kit/Avatar.tsx'
import { HighlightedText } from '../../../platform/web/kit/HighlightedText.tsx'
import type { StaffSearchResult } from '../contract.ts'
import { employeeLabels, getEmployeeName } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './AddStaffPage.module.css'

interface EmployeeCardProps {
  employee: StaffSearchResult
  typed: string
  /** Their page, if they are in the application already. */
  slug: string | undefined
  onOpen: (employee: StaffSearchResult) => void
  /** Arrow keys move between cards. */
  onKeyDown: KeyboardEventHandler
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{label}</dt>
    <dd>{children ?? <span className={classes.none}>None on file</span>}</dd>
  </div>
)

/** An employee of the HR source. The card opens the window to add them, or links to the page of someone already added. */
export const EmployeeCard = ({ employee, typed, slug, onOpen, onKeyDown }: EmployeeCardProps) => {
  const { Hris_EmailAddress, Title, Department, Company, Region, PersonID } = employee
  const name = getEmployeeName(employee)
  const marked = (text: string | null) => (text === null ? null : <HighlightedText segments={highlightText(text, typed, [])} />)
  return (
    <li
      className={`${layoutClasses.card} ${layoutClasses.covered} ${layoutClasses.shadowOnHover} ${layoutClasses.stack} ${layoutClasses.shrinkable} ${classes.card}`}
      data-known={slug !== undefined || undefined}
    >
      <div className={`${layoutClasses.iconAndText} ${classes.person}`}>
        <Avatar name={name} />
        <div className={layoutClasses.fillingColumn}>
          {slug === undefined ? (
            <button
              type="button"
              className={`${layoutClasses.covering} ${textClasses.lines} ${textClasses.strong} ${textClasses.textColor} ${classes.name}`}
              data-hit
              onClick={() => onOpen(employee)}
              onKeyDown={onKeyDown}
            >
              {marked(name)}
            </button>
          ) : (
            <Link
              to="/staff/$slug"
              params={{ slug }}
              className={`${layoutClasses.covering} ${textClasses.lines} ${textClasses.strong} ${textClasses.textColor} ${classes.name}`}
              data-hit
              onKeyDown={onKeyDown}
            >
              {marked(name)}
            </Link>
          )}
          <span className={textClasses.detail}>{[Title, Department].filter(Boolean).join(' · ') || 'No title on file'}</span>
          {slug === undefined ? null : (
            <span className={`${textClasses.label} ${layoutClasses.inlineRow} ${textClasses.lines} ${classes.known}`}>
              <IconCircleCheck size={16} stroke={1.75} aria-hidden />
              Already added
            </span>
          )}
        </div>
      </div>
      <dl className={`${layoutClasses.stack} ${textClasses.small} ${layoutClasses.lineAbove} ${classes.facts}`}>
        <Fact label={employeeLabels.Hris_EmailAddress}>{marked(Hris_EmailAddress)}</Fact>
        <Fact label={employeeLabels.Company}>{Company}</Fact>
        <Fact label={employeeLabels.Region}>{Region}</Fact>
        <Fact label={employeeLabels.PersonID}>{marked(PersonID)}</Fact>
      </dl>
    </li>
  )
}
