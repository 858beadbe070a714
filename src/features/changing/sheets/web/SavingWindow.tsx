import { Button, Modal } from '@mantine/core'
import { useId } from 'react'

import { formatCount } from '../../../../contract/format.ts'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import { useHasElapsed } from '../../../../platform/web/use-has-elapsed.ts'
import type { SheetProgress } from '../contract.ts'
import { formatTimeLeft } from '../rules.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SavingWindow.module.css'

/** Faster saves show nothing. */
const DELAY_MS = 400

interface SavingWindowProps {
  readonly progress: SheetProgress | undefined
  /** The number of changes that are saved, if known. */
  readonly count: number | undefined
  readonly isStopping: boolean
  readonly onStop: () => void
}

/** The progress of a save, with a button to stop it. The save continues if the page is closed. */
export const SavingWindow = ({ progress, count, isStopping, onStop }: SavingWindowProps) => {
  const id = useId()
  if (!useHasElapsed(DELAY_MS)) return null
  const { saved = 0, total = 0, name = null, secondsLeft = null } = progress ?? {}
  const isCounted = progress?.state === 'saving' && total > 0
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      title={count === undefined ? 'Saving' : `Saving ${formatCount(count, 'change')}`}
      size={480}
    >
      <progress
        className={`${layoutClasses.fullWidth} ${layoutClasses.sunkenGround} ${classes.bar}`}
        aria-labelledby={id}
        {...(isCounted ? { value: saved, max: total } : {})}
      />
      <div className={`${textClasses.note} ${layoutClasses.flex} ${layoutClasses.wrapping} ${classes.note}`}>
        <Parts>
          <span id={id} role="status">
            {isCounted ? `${saved.toLocaleString('en-US')} of ${formatCount(total, 'record')}` : 'Starting…'}
          </span>
          {name === null ? null : <span>{name}</span>}
        </Parts>{' '}
        {secondsLeft === null ? null : <span className={classes.timeLeft}>{formatTimeLeft(secondsLeft)}</span>}
      </div>
      <p className={textClasses.paragraph}>You can close this page: the saving continues. If you stop it, nothing is saved.</p>
      <div className={`${layoutClasses.atEnd} ${classes.actions}`}>
        <Button variant="default" data-autofocus loading={isStopping} onClick={onStop}>
          Stop
        </Button>
      </div>
    </Modal>
  )
}
