import { IconHistory } from '@tabler/icons-react'
import { lazy, Suspense, useRef } from 'react'

import { useCan } from '../../../../../platform/web/caller.ts'
import { HeadAction } from '../../../../../platform/web/kit/HeadAction.tsx'
import type { HistoryButtonProps } from '../../../../../platform/web/record-features.tsx'
import { useSearchParams } from '../../../../../platform/web/search-params.ts'
import { getHistoryCalls } from '../../contract.ts'

const HistoryDrawer = lazy(() => import('../HistoryDrawer.tsx').then((module) => ({ default: module.HistoryDrawer })))

/** The button that opens a record's history, for users who may read it. `?history=1` in the URL opens it, so that links can be shared. */
export const HistoryButton = ({ kind, parts, _id, name }: HistoryButtonProps) => {
  const canRead = useCan(getHistoryCalls(kind).read.capability)
  const [{ history }, change] = useSearchParams()
  const button = useRef<{ focus: () => void }>(null)
  if (!canRead) return null
  return (
    <>
      <HeadAction ref={button} icon={IconHistory} isBrief onClick={() => change({ history: '1' })}>
        History
      </HeadAction>
      {history === '1' ? (
        <Suspense>
          <HistoryDrawer
            kind={kind}
            parts={parts}
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
