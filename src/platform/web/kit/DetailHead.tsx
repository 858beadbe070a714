import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { ReactNode } from 'react'

import { useIsNarrow } from '../narrow.ts'
import { pastDay } from '../past-day.ts'
import { AsOfAction } from './AsOfAction.tsx'
import { AsButton, MoreButton, HeadActionsProvider } from './HeadAction.tsx'
import { nameCurrentPage } from './page-history.ts'
import { PrintButton } from './PrintButton.tsx'

import classes from './DetailHead.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface DetailHeadProps {
  /** A BackLink. */
  back: ReactNode
  /** HeadActions: buttons at the right of the back link; on phones a menu next to the main action. */
  actions?: ReactNode
  /** The last of the buttons, usually Edit; on phones the main action if there is no `phoneAction`. */
  mainAction?: ReactNode
  /** On phones the main action: one button, to call. */
  phoneAction?: ReactNode
  /** On phones, HeadActions before the others: wide pages have those among the facts. */
  phoneActions?: ReactNode
  /** The full width, above the name, on phones below it: a Notice. */
  banner?: ReactNode
  title: string
  /** Below the name: status badge and a few words; children are separated from each other. */
  line?: ReactNode
  /** `<Facts variant="head">`: the most important contacts. */
  facts?: ReactNode
  /** The full width, below the facts; on phones below the main action. */
  strip?: ReactNode
  /** A RecordPhoto at the right; below the facts on phones. */
  picture?: ReactNode
  /** A large Avatar before the name. */
  avatar?: ReactNode
  /** On phones, omits facts and picture: for the subpages of a record. */
  brief?: boolean
}

/** The head of every detail page. The name is the page's only h1 and the text of back links to this page. */
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
  const primary = phoneAction ?? (pastDay === undefined ? mainAction : undefined)
  return (
    <HeadActionsProvider>
      <header>
        <div className={`${layoutClasses.spreadRow} ${layoutClasses.bottomMargin12} ${classes.top}`} data-print="no">
          {back}
          <div className={`${layoutClasses.wrappingRow} ${classes.actions}`}>
            {narrow ? phoneActions : null}
            {pastDay === undefined && narrow && phoneAction ? mainAction : null}
            {pastDay === undefined ? actions : <PrintButton />}
            <AsOfAction />
            {pastDay !== undefined || narrow ? null : mainAction}
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
          <div className={`${layoutClasses.shrinkable} ${classes.name}`}>
            <h1 className={`${layoutClasses.breakable} ${classes.title}`} tabIndex={-1}>
              {title}
            </h1>
            {line ? (
              <div className={`${layoutClasses.toolbar} ${textClasses.dimmed} ${layoutClasses.topMargin8} ${classes.line}`}>{line}</div>
            ) : null}
          </div>
          {narrow ? (
            <div className={classes.phoneRow} data-print="no">
              <AsButton>{primary}</AsButton>
              <MoreButton />
            </div>
          ) : null}
          {narrow ? <div className={`${layoutClasses.fullRow} ${classes.banner}`}>{banner}</div> : null}
          {narrow ? <div className={`${layoutClasses.fullRow} ${classes.banner}`}>{strip}</div> : null}
          {facts ? <div className={`${layoutClasses.shrinkable} ${classes.facts}`}>{facts}</div> : null}
          {picture ? <div className={classes.picture}>{picture}</div> : null}
        </div>
        {narrow ? null : <div className={`${layoutClasses.topMargin28} ${classes.strip}`}>{strip}</div>}
      </header>
    </HeadActionsProvider>
  )
}
