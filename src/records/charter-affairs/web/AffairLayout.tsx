import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'

import { EmptyState, EmptyStateActions } from '../../../platform/web/kit/EmptyState.tsx'
import { SearchField } from '../../../platform/web/list/Filters.tsx'
import { FilterCheckbox, formatMatchCount } from './AffairFilter.tsx'
import { type ChangedCounts, SectionList, SectionPicker } from './SectionList.tsx'
import { listAnchors, countFields, type FieldFilter, isFiltering, type ShownSection } from './sections.ts'
import type { AffairFilter } from './use-affair-filter.ts'
import { useCurrentAnchor } from './use-current-anchor.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Affair.module.css'

/** Scrolls to a section and focuses its heading. */
const scrollToSection = (anchor: string): void => {
  const target = document.getElementById(anchor)
  target?.scrollIntoView()
  target?.querySelector<HTMLElement>('h2, h3')?.focus({ preventScroll: true })
}

/** Goes to a section, and replaces the address so that it can be shared. */
const useGoToSection = () => {
  const navigate = useNavigate()
  return useCallback(
    (anchor: string) => {
      scrollToSection(anchor)
      void navigate({ to: '.', search: true, hash: anchor, replace: true, resetScroll: false, hashScrollIntoView: false })
    },
    [navigate],
  )
}

/** Whether the content leaves no room beside it for the list of sections and the buttons. */
export const useIsAffairNarrow = (): boolean => useMediaQuery('(max-width: 1100px)', false, { getInitialValueInEffect: false })

/** Names the filter that leaves nothing, if only one is set. */
const getEmptyTitle = ({ onlyEmpty, onlyDeadlines, onlyChanged, typed }: FieldFilter): string => {
  if (typed.trim() !== '' || onlyDeadlines || onlyEmpty === onlyChanged) return 'No matching fields'
  return onlyEmpty ? 'No empty fields' : 'No changed fields'
}

interface AffairLayoutProps {
  /** The filtered sections. */
  sections: readonly ShownSection[]
  found: AffairFilter
  /** The number of unsaved changes of each section. */
  changedCounts?: ChangedCounts
  /** Whether a sticky bar of buttons is above it. */
  isUnderBar?: boolean
  children: ReactNode
}

/** The sections with their list: beside them, or in a bar above them on narrow screens. */
export const AffairLayout = ({ sections, found, changedCounts, isUnderBar = false, children }: AffairLayoutProps) => {
  const { typed, filter, setOnlyEmpty, setOnlyDeadlines, setOnlyChanged, showAll } = found
  const filtering = isFiltering(filter)
  const anchors = useMemo(() => listAnchors(sections, filter), [sections, filter])
  const listProps = { sections, isFiltering: filtering, currentAnchor: useCurrentAnchor(anchors), onGo: useGoToSection(), changedCounts }
  const narrow = useIsAffairNarrow()
  const [searching, setSearching] = useState(filtering)
  useEffect(() => {
    if (window.location.hash) scrollToSection(window.location.hash.slice(1))
  }, [])

  const search = <SearchField label={`Filter ${countFields(sections).total} fields`} typed={typed} />
  const boxes = (
    <>
      {setOnlyChanged ? <FilterCheckbox label="Only changed fields" on={filter.onlyChanged} onChange={setOnlyChanged} /> : null}
      <FilterCheckbox label="Only empty fields" on={filter.onlyEmpty} onChange={setOnlyEmpty} />
      <FilterCheckbox label="Only fields with a deadline" on={filter.onlyDeadlines} onChange={setOnlyDeadlines} />
    </>
  )
  return (
    <div className={classes.layout} data-searching={(narrow && searching) || undefined} data-under-bar={isUnderBar || undefined}>
      {narrow ? (
        <div className={classes.bar} data-print="no">
          <div className={layoutClasses.spaced}>
            <SectionPicker {...listProps} />
            <ActionIcon
              variant="default"
              className={`${textClasses.link} ${classes.barButton}`}
              aria-label="Filter the fields"
              aria-expanded={searching}
              onClick={() => {
                if (searching) showAll()
                setSearching(!searching)
              }}
            >
              <IconSearch size={18} stroke={1.75} />
            </ActionIcon>
          </div>
          {searching ? (
            <div className={`${layoutClasses.grid} ${classes.barFilter}`}>
              {search}
              {boxes}
            </div>
          ) : null}
        </div>
      ) : (
        <div className={classes.sectionList} data-print="no">
          {search}
          <SectionList {...listProps} />
          <div className={`${layoutClasses.lineAbove} ${layoutClasses.grid} ${layoutClasses.topMargin16} ${classes.boxes}`}>{boxes}</div>
        </div>
      )}
      <div>
        <p className={`${textClasses.dimmed} ${layoutClasses.bottomMargin20} ${classes.matchCount}`} role="status">
          {filtering && anchors.length > 0 ? formatMatchCount(sections, filter) : null}
        </p>
        {anchors.length > 0 ? (
          children
        ) : (
          <EmptyState icon={IconSearch} title={getEmptyTitle(filter)}>
            <p role="status">{formatMatchCount(sections, filter)}.</p>
            <EmptyStateActions>
              <Button variant="default" onClick={showAll}>
                Show All Fields
              </Button>
            </EmptyStateActions>
          </EmptyState>
        )}
      </div>
    </div>
  )
}
