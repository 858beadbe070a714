import { VisuallyHidden } from '@mantine/core'

import { useCan } from '../../../platform/web/caller.ts'
import { useWaiting } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './WaitingMark.module.css'

const MAX_SHOWN = 99

/** The number of requests that wait for a decision, next to the menu entry; nothing if there are none. */
export const WaitingMark = () => {
  const { data } = useWaiting(useCan('answer requests'))
  const count = data?.requests ?? 0
  return count === 0 ? null : (
    <>
      <VisuallyHidden>, {count.toLocaleString('en-US')} waiting</VisuallyHidden>
      <span className={`${layoutClasses.tintGround} ${textClasses.figures} ${textClasses.strong} ${classes.mark}`} aria-hidden>
        {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
      </span>
    </>
  )
}
