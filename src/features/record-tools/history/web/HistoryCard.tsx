import { IconHistory } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'

import type { RecordHit } from '../../../../platform/contract/records.ts'
import { useAddress } from '../../../../platform/web/address.ts'
import { HeadAction } from '../../../../platform/web/kit/HeadAction.tsx'
import { useCan } from '../../../access/session/web/queries.ts'
import { callsOf, type HistoryKind } from '../contract.ts'

const HistoryDrawer = lazy(() => import('./HistoryDrawer.tsx').then((module) => ({ default: module.HistoryDrawer })))

interface HistoryCardProps extends Pick<RecordHit, '_id' | 'name'> {
  kind: HistoryKind
}

/** The way to a record's history, for those who may read it. Whether it is open stands in the address, `?history=1`, so that it can be sent. */
export const HistoryCard = ({ kind, _id, name }: HistoryCardProps) => {
  const mayRead = useCan(callsOf(kind).read.capability)
  const [{ history }, change] = useAddress()
  const button = useRef<{ focus: () => void }>(null)
  if (!mayRead) return null
  return (
    <>
      <HeadAction ref={button} icon={IconHistory} isBrief onClick={() => change({ history: '1' })}>
        History
      </HeadAction>
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
