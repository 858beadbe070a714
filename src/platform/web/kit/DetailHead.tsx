import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { nameThisStep } from './trail.ts'

import classes from './DetailHead.module.css'

interface DetailHeadProps {
  /** A BackLink. */
  back: ReactNode
  /** Buttons at the right of the back link. */
  actions?: ReactNode
  /** Across the full width, above the name: a Notice. */
  banner?: ReactNode
  title: string
  /** Under the name: status badge and a few words; each child is set apart from the next. */
  line?: ReactNode
  /** On phones, the buttons under the name: call first. */
  phoneActions?: ReactNode
  /** `<Facts look="head">`: who to call first. */
  facts?: ReactNode
  /** A RecordPhoto at the right; under the facts on phones. */
  picture?: ReactNode
  /** A big Avatar before the name. */
  avatar?: ReactNode
  /** On phones, leaves facts and picture out: for the further pages of a record. */
  brief?: boolean
}

/** The head of every detail page. The name is the page's one h1, and what back links to this page say. */
export const DetailHead = ({
  back,
  actions,
  banner,
  title,
  line,
  phoneActions,
  facts,
  picture,
  avatar,
  brief = false,
}: DetailHeadProps) => {
  const router = useRouter()
  useEffect(() => nameThisStep(router, title), [router, title])
  return (
    <header className={classes.head}>
      <div className={classes.top}>
        {back}
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {banner}
      <div
        className={classes.body}
        data-picture={picture ? true : undefined}
        data-avatar={avatar ? true : undefined}
        data-brief={brief || undefined}
      >
        {avatar ? <div className={classes.avatar}>{avatar}</div> : null}
        <div className={classes.name}>
          <h1 className={classes.title} tabIndex={-1}>
            {title}
          </h1>
          {line ? <div className={classes.line}>{line}</div> : null}
        </div>
        {phoneActions ? <div className={classes.phoneActions}>{phoneActions}</div> : null}
        {facts ? <div className={classes.facts}>{facts}</div> : null}
        {picture ? <div className={classes.picture}>{picture}</div> : null}
      </div>
    </header>
  )
}
