import { IconX } from '@tabler/icons-react'

import { clearError, useErrorMessage } from '../error-banner.ts'

import layoutClasses from '../kit/Layout.module.css'
import classes from './ErrorBanner.module.css'

/** 'Error: {message}' across the page, until it is clicked. */
export const ErrorBanner = () => {
  const message = useErrorMessage()
  return (
    <div role="alert">
      {message === null ? null : (
        <button
          type="button"
          className={`${layoutClasses.badGround} ${layoutClasses.breakable} ${layoutClasses.row} ${classes.banner}`}
          onClick={clearError}
          title="Close"
        >
          <span>Error: {message}</span>
          <IconX size={18} stroke={1.75} aria-label="Close" />
        </button>
      )}
    </div>
  )
}
