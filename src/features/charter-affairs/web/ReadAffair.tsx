import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'

import { useAddress } from '../../../platform/web/address.ts'
import { EmptyState, WaysOut } from '../../../platform/web/kit/EmptyState.tsx'
import { SearchField } from '../../../platform/web/list/Filters.tsx'
import { useTyped } from '../../../platform/web/list/useTyped.ts'
import type { CharterAffair } from '../contract.ts'
import { foundWords, OnlyEmpty } from './AffairFilter.tsx'
import { AffairSections } from './AffairSections.tsx'
import { SectionList, SectionPicker } from './SectionList.tsx'
import { anchorsOf, fieldCounts, filtered, isFiltering, sectionsOf } from './sections.ts'
import { useReadersPlace } from './useReadersPlace.ts'

import classes from './affair.module.css'

/** Brings a section into sight and lets the keyboard go on from there. */
const bringIntoSight = (anchor: string): void => {
  const target = document.getElementById(anchor)
  target?.scrollIntoView()
  target?.querySelector<HTMLElement>('h2, h3')?.focus({ preventScroll: true })
}

/** A step to a section stays in the address, so that it can be sent; it is no step of the way back. */
const useGo = () => {
  const navigate = useNavigate()
  return useCallback(
    (anchor: string) => {
      bringIntoSight(anchor)
      void navigate({ to: '.', search: true, hash: anchor, replace: true, resetScroll: false, hashScrollIntoView: false })
    },
    [navigate],
  )
}

/** The eight sections with their map: beside them where there is room, in a bar above them where there is not. */
export const ReadAffair = ({ affair }: { affair: CharterAffair }) => {
  const all = useMemo(() => sectionsOf(affair), [affair])
  const typed = useTyped()
  const [address, change] = useAddress()
  const onlyEmpty = address['empty'] === 'yes'
  const filter = useMemo(() => ({ typed: typed.wanted, onlyEmpty }), [typed.wanted, onlyEmpty])
  const sections = useMemo(() => filtered(all, filter), [all, filter])
  const filtering = isFiltering(filter)
  const anchors = useMemo(() => anchorsOf(sections, filter), [sections, filter])
  const map = { sections, filtering, place: useReadersPlace(anchors), go: useGo() }
  const narrow = useMediaQuery('(max-width: 1100px)', false, { getInitialValueInEffect: false })
  const [searching, setSearching] = useState(filtering)
  useEffect(() => {
    if (window.location.hash) bringIntoSight(window.location.hash.slice(1))
  }, [])

  const search = <SearchField label={`Filter ${fieldCounts(all).total} fields`} typed={typed} />
  const onlyEmptyBox = <OnlyEmpty on={onlyEmpty} onChange={(on) => change({ empty: on ? 'yes' : undefined })} />
  const showAll = () => {
    typed.type('')
    change({ q: undefined, empty: undefined })
  }
  return (
    <div className={classes.layout} data-searching={(narrow && searching) || undefined}>
      {narrow ? (
        <div className={classes.bar}>
          <div className={classes.barRow}>
            <SectionPicker {...map} />
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
        <div className={classes.map}>
          {search}
          <SectionList {...map} />
          <div className={classes.onlyEmpty}>{onlyEmptyBox}</div>
        </div>
      )}
      <div>
        <p className={classes.found} role="status">
          {filtering && anchors.length > 0 ? foundWords(sections, filter) : null}
        </p>
        {anchors.length > 0 ? (
          <AffairSections sections={sections} filter={filter} />
        ) : (
          <EmptyState icon={IconSearch} title={filter.onlyEmpty && filter.typed.trim() === '' ? 'No field is empty' : 'No field matches'}>
            <p role="status">{foundWords(sections, filter)}.</p>
            <WaysOut>
              <Button variant="default" onClick={showAll}>
                Show all fields
              </Button>
            </WaysOut>
          </EmptyState>
        )}
      </div>
    </div>
  )
}
