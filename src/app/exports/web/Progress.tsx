import { Button } from '@mantine/core'
import { useId } from 'react'

import { useHasElapsed } from '../../../platform/web/use-has-elapsed.ts'
import type { ExportKind } from '../contract.ts'
import { EXPORTS } from '../contract.ts'
import { formatSize } from '../rules.ts'
import { usePreview } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Progress.module.css'

/** Faster downloads show nothing. */
const DELAY_MS = 300
/** The expected size is an estimate; only a finished download fills the bar. */
const MAX_PROGRESS = 0.98

/** The progress of a download, relative to its expected size if known, with a button to stop it. */
export const Progress = ({ kind, bytes, stop }: { kind: ExportKind; bytes: number; stop: () => void }) => {
  const id = useId()
  const expected = usePreview(kind).data?.bytes
  if (!useHasElapsed(DELAY_MS)) return null
  const part = expected && bytes > 0 ? Math.min(bytes / expected, MAX_PROGRESS) : undefined
  const progressText =
    bytes === 0 ? 'Preparing the file' : `${formatSize(bytes)} ${expected ? `of about ${formatSize(expected)}` : 'downloaded'}`
  return (
    <div className={`${layoutClasses.card} ${layoutClasses.bottomMargin20} ${layoutClasses.grid} ${classes.progress}`}>
      <div className={`${layoutClasses.wrappingRow} ${textClasses.smallFont} ${layoutClasses.spaceBetween} ${classes.text}`}>
        <span id={id} className={textClasses.strong}>
          Downloading {EXPORTS[kind].name}
        </span>
        <span className={`${textClasses.dimmed} ${textClasses.figures}`}>{progressText}</span>
      </div>
      <progress
        className={`${layoutClasses.fullWidth} ${layoutClasses.clipped} ${layoutClasses.sunkenGround} ${layoutClasses.progressBar} ${classes.bar}`}
        aria-labelledby={id}
        {...(part === undefined ? {} : { value: part })}
      />
      <Button size="compact-sm" variant="default" className={classes.stop} onClick={stop}>
        Cancel
      </Button>
    </div>
  )
}
