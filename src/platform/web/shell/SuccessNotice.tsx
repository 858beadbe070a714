import { ActionIcon } from '@mantine/core'
import { IconCircleCheck, IconX } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

import { clearSuccess, useSuccessMessage } from '../success-notice.ts'
import type { SuccessMessage } from '../success-notice.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './SuccessNotice.module.css'

/** Clears the notice on the next navigation: it belongs to the page on which it first appeared. */
const useClearOnNavigation = (done: SuccessMessage | null): void => {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const shown = useRef<{ done: SuccessMessage; path: string } | null>(null)
  useEffect(() => {
    if (done === null) shown.current = null
    else if (shown.current?.done !== done) shown.current = { done, path }
    else if (shown.current.path !== path) clearSuccess()
  }, [done, path])
}

/** Confirms across the page what has just been done. */
export const SuccessNotice = () => {
  const done = useSuccessMessage()
  useClearOnNavigation(done)
  return (
    <div aria-live="polite">
      {done === null ? null : (
        <p className={`${layoutClasses.row} ${layoutClasses.okGround} ${classes.notice}`} data-print="no">
          <IconCircleCheck size={20} stroke={1.75} aria-hidden />
          <span className={`${layoutClasses.content} ${classes.text}`}>
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
