import { useState } from 'react'

import { isSomethingTyped, useUpdate } from '../app-update.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './UpdateNotice.module.css'

/** One quiet line while a new version of the program waits. */
export const UpdateNotice = () => {
  const update = useUpdate()
  const [isHeldBack, setHeldBack] = useState(false)
  return (
    <div role="status" data-print="no">
      {update === null ? null : (
        <p className={`${layoutClasses.row} ${textClasses.small} ${layoutClasses.gap8} ${layoutClasses.sunkenGround} ${classes.notice}`}>
          <span>{isHeldBack ? 'A new version is ready. First save or discard what you have typed.' : 'A new version is ready.'}</span>
          <button
            type="button"
            className={`${textClasses.strong} ${textClasses.linkColor} ${classes.update}`}
            onClick={() => {
              setHeldBack(isSomethingTyped())
              if (!isSomethingTyped()) update()
            }}
          >
            Update
          </button>
        </p>
      )}
    </div>
  )
}
