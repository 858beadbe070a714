import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'

import { EmptyState, WaysOut } from '../../../../platform/web/kit/EmptyState.tsx'
import { SearchField } from '../../../../platform/web/list/Filters.tsx'
import { formatMatchCount, OnlyEmptyCheckbox } from './AffairFilter.tsx'
import { type ChangedCounts, SectionList, SectionPicker } from './SectionList.tsx'
import { listAnchors, countFields, isFiltering, type ShownSection } from './sections.ts'
import type { AffairFilter } from './useAffairFilter.ts'
import { useCurrentAnchor } from './useCurrentAnchor.ts'

import classes from './affair.module.css'

/** Brings a section into sight and lets the keyboard go on from there. */
const scrollToSection = (anchor: string): void => {
  const target = document.getElementById(anchor)
  target?.scrollIntoView()
  target?.querySelector<HTMLElement>('h2, h3')?.focus({ preventScroll: true })
}

/** A step to a section stays in the address, so that it can be sent; it is no step of the way back. */
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

/** Whether there is no room for the list of sections, nor for a bar of buttons, beside the rest. */
export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 1100px)', false, { getInitialValueInEffect: false })

interface AffairLayoutProps {
  /** What the filter leaves. */
  sections: readonly ShownSection[]
  found: AffairFilter
  /** How many fields of each section are changed and not saved. */
  changedCounts?: ChangedCounts
  /** A bar of buttons stays above it. */
  isUnderBar?: boolean
  children: ReactNode
}

/** The sections with their map: beside them where there is room, in a bar above them where there is not. */
export const AffairLayout = ({ sections, found, changedCounts, isUnderBar = false, children }: AffairLayoutProps) => {
  const { typed, filter, setOnlyEmpty, showAll } = found
  const filtering = isFiltering(filter)
  const anchors = useMemo(() => listAnchors(sections, filter), [sections, filter])
  const listProps = { sections, isFiltering: filtering, currentAnchor: useCurrentAnchor(anchors), onGo: useGoToSection(), changedCounts }
  const narrow = useIsNarrow()
  const [searching, setSearching] = useState(filtering)
  useEffect(() => {
    if (window.location.hash) scrollToSection(window.location.hash.slice(1))
  }, [])

  const search = <SearchField label={`Filter ${countFields(sections).total} fields`} typed={typed} />
  const onlyEmptyBox = <OnlyEmptyCheckbox on={filter.onlyEmpty} onChange={setOnlyEmpty} />
  return (
    <div className={classes.layout} data-searching={(narrow && searching) || undefined} data-under-bar={isUnderBar || undefined}>
      {narrow ? (
        <div className={classes.bar}>
          <div className={classes.barRow}>
            <SectionPicker {...listProps} />
            <ActionIcon
              variant="default"
              className={classes.barButton}
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
            <div className={classes.barFilter}>
              {search}
              {onlyEmptyBox}
            </div>
          ) : null}
        </div>
      ) : (
        <div className={classes.sectionList}>
          {search}
          <SectionList {...listProps} />
          <div className={classes.onlyEmpty}>{onlyEmptyBox}</div>
        </div>
      )}
      <div>
        <p className={classes.found} role="status">
          {filtering && anchors.length > 0 ? formatMatchCount(sections, filter) : null}
        </p>
        {anchors.length > 0 ? (
          children
        ) : (
          <EmptyState icon={IconSearch} title={filter.onlyEmpty && filter.typed.trim() === '' ? 'No empty fields' : 'No matching fields'}>
            <p role="status">{formatMatchCount(sections, filter)}.</p>
            <WaysOut>
              <Button variant="default" onClick={showAll}>
                Show All Fields
              </Button>
            </WaysOut>
          </EmptyState>
        )}
      </div>
    </div>
  )
}
