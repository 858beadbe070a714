import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { useIsNarrow } from '../narrow.ts'
import { AsButton, MoreButton, HeadActionsProvider } from './HeadAction.tsx'
import { nameCurrentPage } from './page-history.ts'

import classes from './DetailHead.module.css'

interface DetailHeadProps {
  /** A BackLink. */
  back: ReactNode
  /** HeadActions: buttons at the right of the back link; on phones the menu beside what people came for. */
  actions?: ReactNode
  /** The last of the buttons, mostly Edit; on phones what people came for where there is no `phoneAction`. */
  mainAction?: ReactNode
  /** On phones, what people came for: one button, to call. */
  phoneAction?: ReactNode
  /** On phones, HeadActions before the others: those that wide pages have among the facts. */
  phoneActions?: ReactNode
  /** CrossFieldRules the full width, above the name, on phones below it: a Notice. */
  banner?: ReactNode
  title: string
  /** Under the name: status badge and a few words; each child is set apart from the next. */
  line?: ReactNode
  /** `<Facts look="head">`: who to call first. */
  facts?: ReactNode
  /** The full width, under the facts; on phones under what people came for. */
  strip?: ReactNode
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
  mainAction,
  phoneAction,
  phoneActions,
  banner,
  title,
  line,
  facts,
  strip,
  picture,
  avatar,
  brief = false,
}: DetailHeadProps) => {
  const router = useRouter()
  const narrow = useIsNarrow()
  useEffect(() => nameCurrentPage(router, title), [router, title])
  const primary = phoneAction ?? mainAction
  const hasMenu = Boolean(actions || phoneActions || (phoneAction && mainAction))
  return (
    <HeadActionsProvider>
      <header>
        <div className={classes.top}>
          {back}
          <div className={classes.actions}>
            {narrow ? phoneActions : null}
            {narrow && phoneAction ? mainAction : null}
            {actions}
            {narrow ? null : mainAction}
          </div>
        </div>
        {narrow ? null : banner}
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
          {narrow && (primary || hasMenu) ? (
            <div className={classes.phoneRow}>
              <AsButton>{primary}</AsButton>
              {hasMenu ? <MoreButton /> : null}
            </div>
          ) : null}
          {narrow ? <div className={classes.banner}>{banner}</div> : null}
          {narrow ? <div className={classes.banner}>{strip}</div> : null}
          {facts ? <div className={classes.facts}>{facts}</div> : null}
          {picture ? <div className={classes.picture}>{picture}</div> : null}
        </div>
        {narrow ? null : <div className={classes.strip}>{strip}</div>}
      </header>
    </HeadActionsProvider>
  )
}
