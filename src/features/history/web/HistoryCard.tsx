import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'

import type { RecordHit } from '../../../platform/contract/records.ts'
import { useAddress } from '../../../platform/web/address.ts'
import { useMay } from '../../session/web/queries.ts'
import { callsOf, type HistoryKind } from '../contract.ts'

import classes from './HistoryCard.module.css'

const HistoryDrawer = lazy(() => import('./HistoryDrawer.tsx').then((module) => ({ default: module.HistoryDrawer })))

interface HistoryCardProps extends Pick<RecordHit, '_id' | 'name'> {
  kind: HistoryKind
  /** On phones just the sign: for a line that has little room. */
  brief?: boolean
}

/** The way to a record's history, for those who may read it. Whether it is open stands in the address, `?history=1`, so that it can be sent. */
export const HistoryCard = ({ kind, _id, name, brief = false }: HistoryCardProps) => {
  const mayRead = useMay(callsOf(kind).read.needs)
  const [{ history }, change] = useAddress()
  const button = useRef<HTMLButtonElement>(null)
  if (!mayRead) return null
  return (
    <>
      <Button
        ref={button}
        variant="default"
        className={classes.button}
        leftSection={<IconHistory size={17} stroke={1.75} />}
        onClick={() => change({ history: '1' })}
        data-brief={brief || undefined}
        data-print="no"
      >
        <span className={classes.word}>History</span>
      </Button>
      {history === '1' ? (
        <Suspense>
          <HistoryDrawer
            kind={kind}
            _id={_id}
            name={name}
            onClose={() => {
              change({ history: undefined })
              button.current?.focus()
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
