import { ActionIcon } from '@mantine/core'
import { IconCircleCheck, IconX } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

import { clearSuccess, useSuccessMessage } from '../success-notice.ts'
import type { SuccessMessage } from '../success-notice.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './SuccessNotice.module.css'

/** Clears the notice on the next navigation. A save that moves its record to another address replaces the page, and keeps its notice. */
const useClearOnNavigation = (done: SuccessMessage | null): void => {
  const { history } = useRouter()
  useEffect(() => {
    if (done === null) return undefined
    let path = history.location.pathname
    return history.subscribe(({ location: { pathname }, action }) => {
      if (pathname !== path && action.type !== 'REPLACE') clearSuccess()
      path = pathname
    })
  }, [done, history])
}

/** Confirms across the page what has just been done. */
export const SuccessNotice = () => {
  const done = useSuccessMessage()
  useClearOnNavigation(done)
  return (
    <div aria-live="polite" className={classes.place}>
      {done === null ? null : (
        <p className={`${layoutClasses.row} ${layoutClasses.okGround} ${classes.notice}`} data-notice data-print="no">
          <IconCircleCheck size={20} stroke={1.75} aria-hidden />
          <span className={`${layoutClasses.content} ${layoutClasses.growing}`}>
            {done.text}{' '}
            {done.link ? (
              <Link to={done.link.to} className={`${textClasses.strong} ${textClasses.inheritedColor} ${classes.link}`}>
                {done.link.label}
              </Link>
            ) : null}
            {done.onUndo ? (
              <button
                type="button"
                className={`${textClasses.strong} ${textClasses.inheritedColor} ${classes.link}`}
                onClick={() => {
                  done.onUndo?.()
                  clearSuccess()
                }}
              >
                Undo
              </button>
            ) : null}
          </span>
          <ActionIcon aria-label="Close notice" onClick={clearSuccess}>
            <IconX size={18} stroke={1.75} />
          </ActionIcon>
        </p>
      )}
    </div>
  )
}
