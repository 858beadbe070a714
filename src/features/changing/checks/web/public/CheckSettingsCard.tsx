import { Button } from '@mantine/core'
import { useState } from 'react'

import { CHECKED_KINDS, type CheckedKind } from '../../../../../contract/checks.ts'
import { RECORD_LABELS } from '../../../../../contract/records.ts'
import { SettingsCard, SettingsRow, SettingsRows } from '../../../../../platform/web/kit/SettingsCard.tsx'
import { RowSkeleton } from '../../../../../platform/web/list/ListSkeleton.tsx'
import { LoadedList } from '../../../../../platform/web/list/LoadedList.tsx'
import { IntervalDialog } from '../IntervalDialog.tsx'
import { useCheckSettings } from '../queries.ts'

const formatInterval = (days: number | null): string => {
  if (days === null) return 'Not checked'
  return days === 1 ? 'Checked every day' : `Checked every ${days.toLocaleString('en-US')} days`
}

/** The check intervals in days, by kind. */
export const CheckSettingsCard = () => {
  const query = useCheckSettings()
  const [edited, setEdited] = useState<CheckedKind | null>(null)
  return (
    <>
      <SettingsCard
        title="Checks"
        about="After this many days, the people responsible for a record get an email that asks whether everything in it is still right. A form that was seen as a whole and saved counts as a check."
      >
        <LoadedList query={query} skeleton={<RowSkeleton />}>
          {({ intervals }) => (
            <SettingsRows label="Kinds of records">
              {CHECKED_KINDS.map((kind) => (
                <SettingsRow key={kind} name={RECORD_LABELS[kind]} details={<span>{formatInterval(intervals[kind])}</span>}>
                  <Button variant="default" aria-label={`Change the checks of ${RECORD_LABELS[kind]}`} onClick={() => setEdited(kind)}>
                    Change
                  </Button>
                </SettingsRow>
              ))}
            </SettingsRows>
          )}
        </LoadedList>
      </SettingsCard>
      {edited !== null && query.data ? (
        <IntervalDialog kind={edited} days={query.data.intervals[edited]} version={query.data.version} onClose={() => setEdited(null)} />
      ) : null}
    </>
  )
}
