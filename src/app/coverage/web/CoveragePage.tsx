import { Button, VisuallyHidden } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconLayoutGrid, IconUserShare } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { getRecordPath, RECORD_NOUNS } from '../../../contract/records.ts'
import { CheckShareCard } from '../../../features/changing/checks/web/public/CheckShareCard.tsx'
import { ViewMenu } from '../../../features/finding/saved-views/web/public/ViewMenu.tsx'
import { useCan } from '../../../platform/web/caller.ts'
import { PrintButton } from '../../../platform/web/kit/PrintButton.tsx'
import { PrintLine } from '../../../platform/web/kit/PrintLine.tsx'
import { Chips, Filters, FilterToggle, MatchCount, SearchField } from '../../../platform/web/list/Filters.tsx'
import { ListHead } from '../../../platform/web/list/ListHead.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { NothingMatches } from '../../../platform/web/list/NothingMatches.tsx'
import { useIsNarrow } from '../../../platform/web/narrow.ts'
import { pastDay } from '../../../platform/web/past-day.ts'
import { useIsPrinting } from '../../../platform/web/print.ts'
import type { CoveredSite } from '../contract.ts'
import { buildBoardText, groupByRegion } from '../rules.ts'
import { buildBoardItems, formatBoardCounts, listItemSites } from './board-items.ts'
import { BoardCards } from './BoardCards.tsx'
import { BoardTable } from './BoardTable.tsx'
import { NONE } from './reorganize-address.ts'
import { RolesChip } from './RolesChip.tsx'
import { useBoard } from './use-board.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'

const CopySheet = ({ text }: { text: () => string }) => {
  const clipboard = useClipboard({ timeout: 2000 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <>
      <Button
        variant="default"
        className={layoutClasses.notOnPhones}
        leftSection={<Icon size={17} stroke={1.75} />}
        onClick={() => clipboard.copy(text())}
        data-print="no"
      >
        {clipboard.copied ? 'Copied' : 'Copy Table'}
      </Button>
      <VisuallyHidden role="status">{clipboard.copied ? 'Copied the table' : ''}</VisuallyHidden>
    </>
  )
}

const toShares = (sites: readonly CoveredSite[]) =>
  groupByRegion(sites).map(({ region, sites: own }) => ({ name: region?.name ?? 'No region', slug: region?.slug ?? null, sites: own }))

/** The description of the board for the printed page. */
const formatPrintLine = ({ region, group, onlyVacant, typed }: ReturnType<typeof useBoard>): string =>
  [
    region.name ?? 'All regions',
    group === 'all' ? 'active and closed sites' : `${group} sites`,
    onlyVacant ? 'only sites with vacant positions' : '',
    typed.deferredText.trim() ? `matching “${typed.deferredText.trim()}”` : '',
  ]
    .filter(Boolean)
    .join(', ')

/** `/coverage`: the people in each role at each site, and the vacancies. */
export const CoveragePage = () => {
  const board = useBoard()
  const { query, sites, allRoles, roles, region, group, setGroup, onlyVacant, typed, found, asked: matching, shown, vacant, change } = board
  const printing = useIsPrinting()
  const narrow = useIsNarrow()
  const mayReorganize = useCan('manage the network')
  const [only] = roles
  const roleNames = useMemo(() => roles.map(({ name }) => name), [roles])
  const allNames = useMemo(() => allRoles.map(({ name }) => name), [allRoles])
  const summary = useMemo(() => query.data && formatBoardCounts(matching, roles), [query.data, matching, roles])
  const items = useMemo(() => buildBoardItems(shown, roles, region.value !== undefined), [shown, roles, region.value])
  const shares = useMemo(() => toShares(matching), [matching])
  const clearFilter = { region: undefined, role: undefined, empty: undefined, status: 'all' }

  return (
    <div data-paper="landscape">
      <ListHead
        title="Coverage"
        summary={summary}
        failed={query.isError}
        aside={
          <div className={layoutClasses.wrappingRow} data-print="no">
            {mayReorganize ? (
              <Button
                variant="default"
                className={layoutClasses.notOnPhones}
                leftSection={<IconUserShare size={17} stroke={1.75} aria-hidden />}
                renderRoot={(props) => (
                  <Link
                    to="/reorganize"
                    search={{
                      mode: 'fill',
                      ...(only && roles.length === 1 ? { role: only.name } : {}),
                      ...(region.value === undefined ? {} : { region: region.value, stay: NONE }),
                    }}
                    {...props}
                  />
                )}
              >
                Reorganize
              </Button>
            ) : null}
            {pastDay === undefined ? <ViewMenu /> : null}
            <CopySheet text={() => buildBoardText(listItemSites(items), roles)} />
            <PrintButton />
          </div>
        }
      />
      <PrintLine of={formatPrintLine(board)} />
      <Filters>
        <SearchField label="Search by site, city, charter or person" typed={typed} />
        <Chips label="Filters">
          <FilterToggle label="Active Sites" on={group === 'active'} onToggle={(on) => setGroup(on ? 'active' : 'all')} />
          <FilterToggle label="Closed Sites" on={group === 'closed'} onToggle={(on) => setGroup(on ? 'closed' : 'all')} />
          <FilterToggle label="Only vacant positions" on={onlyVacant} onToggle={(on) => change({ empty: on ? '1' : undefined })} />
          {region.control}
          <RolesChip all={allNames} chosen={roleNames} onChoose={(chosen) => change({ role: chosen?.join(',') })} />
        </Chips>
      </Filters>
      {pastDay === undefined ? <CheckShareCard regions={shares} isAlone={region.value !== undefined} /> : null}
      <div data-print="no">
        <MatchCount matching={query.data && shown.length} all={query.data?.length} />
      </div>
      <LoadedList query={query} skeleton={<RowSkeleton />}>
        {() =>
          shown.length === 0 ? (
            <NothingMatches
              icon={IconLayoutGrid}
              title={onlyVacant && matching.length > 0 ? 'No vacant positions' : 'No locations to display'}
              noun={RECORD_NOUNS.site}
              all={sites.length}
              typed={typed.deferredText.trim()}
              kind={group === 'all' ? null : group}
              filters={[
                region.condition,
                onlyVacant ? (only && roles.length === 1 ? `with no ${only.name}` : 'with vacant positions') : null,
              ]}
              hidden={found.map(({ displayName, slug }) => ({ name: displayName, to: getRecordPath({ kind: 'site', slug }) }))}
              onClearSearch={() => change({ ...clearFilter, q: undefined })}
              onClearFilter={() => change(clearFilter)}
            />
          ) : narrow && !printing ? (
            <BoardCards items={items} roles={roles} vacant={vacant} mayFill={mayReorganize} />
          ) : (
            <BoardTable items={items} roles={roles} vacant={vacant} printing={printing} mayFill={mayReorganize} />
          )
        }
      </LoadedList>
    </div>
  )
}
