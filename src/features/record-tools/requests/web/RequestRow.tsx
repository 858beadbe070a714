import { IconBuilding, IconLifebuoy, IconMailExclamation } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatDaysAgo } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import type { SearchParams } from '../../../../platform/web/search-params.ts'
import type { RequestRecord } from '../contract.ts'
import { KIND_LABELS, hasVisibleMailProblem, formatSender, formatTitle } from '../rules.ts'
import { StateBadge } from './StateBadge.tsx'

import classes from './RequestsPage.module.css'

interface RequestRowProps {
  request: RequestRecord
  /** True in a list of the user's own requests, which does not repeat the sender. */
  isOwn: boolean
}

/** One request of a list; it opens in a drawer with an address of its own. */
export const RequestRow = ({ request, isOwn }: RequestRowProps) => {
  const { _id, kind, state, text, createdAt, word } = request
  const Sign = kind === 'change' ? IconBuilding : IconLifebuoy
  return (
    <li className={classes.row}>
      <span className={classes.sign}>
        <Sign size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={classes.words}>
        <Link
          to="."
          search={(before: SearchParams) => ({ ...before, request: _id })}
          replace
          resetScroll={false}
          className={classes.name}
          aria-haspopup="dialog"
        >
          {formatTitle(request)}
        </Link>
        <p className={classes.text}>{text}</p>
        <p className={classes.detail}>
          <span>{KIND_LABELS[kind]}</span>
          {isOwn ? null : <span>{formatSender(request)}</span>}
          <span>{formatDaysAgo(createdAt, configuration.timeZone)}</span>
        </p>
        {word ? <p className={classes.word}>“{word}”</p> : null}
      </div>
      <div className={classes.state}>
        <StateBadge state={state} />
        {!isOwn && hasVisibleMailProblem(request) ? (
          <span className={classes.trouble}>
            <IconMailExclamation size={16} stroke={1.75} aria-hidden /> Not emailed
          </span>
        ) : null}
      </div>
    </li>
  )
}
