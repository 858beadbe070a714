import { Button } from '@mantine/core'
import { useState } from 'react'

import { formatMomentDay, formatMomentTime } from '../../../contract/dates.ts'
import { configuration } from '../../../platform/web/configuration.ts'
import { Section } from '../../../platform/web/kit/Section.tsx'
import { RowSkeleton } from '../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import type { Download } from '../contract.ts'
import { EXPORTS } from '../contract.ts'
import { isRunning, formatSize } from '../rules.ts'
import { useDownloads } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import log from '../../../platform/web/list/LogTable.module.css'
import classes from './DownloadLog.module.css'

/** Shown initially; the others on demand. */
const INITIAL_ROWS = 20

const getName = (kind: string): string => (Object.hasOwn(EXPORTS, kind) ? EXPORTS[kind as keyof typeof EXPORTS].name : kind)

const formatOutcome = (one: Download): string => {
  const { outcome, rows, bytes } = one
  if (outcome === 'whole') return `${(rows ?? 0).toLocaleString('en-US')} rows, ${formatSize(bytes ?? 0)}`
  if (outcome === 'failed') return 'Failed'
  return isRunning(one) ? 'In progress' : 'Interrupted'
}

const DownloadTable = ({ all }: { all: readonly Download[] }) => {
  const [isWhole, setWhole] = useState(false)
  if (all.length === 0) return <p className={textClasses.dimmed}>No downloads yet.</p>
  return (
    <>
      <table className={`${textClasses.small} ${layoutClasses.fullWidth} ${log.table} ${classes.table}`} aria-label="Download History">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Export</th>
            <th scope="col">When</th>
            <th scope="col" className={`${log.number} ${classes.outcome}`}>
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? all : all.slice(0, INITIAL_ROWS)).map((one) => (
            <tr key={one._id}>
              <th scope="row">
                <span className={`${layoutClasses.block} ${textClasses.strong}`}>{one.name}</span>
                <span className={textClasses.caption}>{one.azureID}</span>
              </th>
              <td>{getName(one.kind)}</td>
              <td className={`${textClasses.figures} ${classes.when}`}>
                <span>{formatMomentDay(one.at, configuration.timeZone)}</span>{' '}
                <span>{formatMomentTime(one.at, configuration.timeZone)}</span>
              </td>
              <td className={`${log.number} ${classes.outcome}`}>{formatOutcome(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && all.length > INITIAL_ROWS ? (
        <Button variant="default" mt={16} onClick={() => setWhole(true)}>
          Show all {all.length}
        </Button>
      ) : null}
    </>
  )
}

/** Who downloaded what and when, for level 1. */
export const DownloadLog = () => (
  <div className={layoutClasses.sectionStart}>
    <Section title="Download History">
      <LoadedList query={useDownloads()} skeleton={<RowSkeleton />}>
        {(all) => <DownloadTable all={all} />}
      </LoadedList>
    </Section>
  </div>
)
