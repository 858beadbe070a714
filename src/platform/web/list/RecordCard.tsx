import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { Status } from '../../../contract/status.ts'
import { StatusWord } from '../kit/StatusBadge.tsx'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './Card.module.css'

interface CardNameProps {
  readonly to: string
  readonly children: string
  /** On one line; on phones on as many as it needs. */
  readonly isTruncated?: boolean
}

/** The name on a card: a link that covers the card. */
export const CardName = ({ to, children, isTruncated = false }: CardNameProps) => (
  <Link to={to} className={`${layoutClasses.covering} ${classes.name}`} data-truncated={isTruncated || undefined}>
    <span>{children}</span>
  </Link>
)

/** A line of text on a card. */
export const CardLine = ({ children, title }: { children: ReactNode; title?: string }) => (
  <p className={`${textClasses.detail} ${textClasses.truncated} ${layoutClasses.rigid} ${classes.line}`} title={title}>
    {children}
  </p>
)

interface RecordCardProps {
  /** A picture before the text. */
  readonly mark?: ReactNode
  readonly name: string
  readonly to: string
  readonly lines: readonly string[]
  readonly status?: Status
}

/** The card of a record in a list, which is a link to its page. */
export const RecordCard = ({ mark, name, to, lines, status }: RecordCardProps) => (
  <article
    className={`${layoutClasses.card} ${layoutClasses.covered} ${layoutClasses.shadowOnHover} ${classes.card} ${layoutClasses.row} ${classes.row}`}
  >
    {mark}
    <div className={layoutClasses.fillingColumn}>
      <CardName to={to}>{name}</CardName>
      {lines.map((line) => (
        <CardLine key={line}>{line}</CardLine>
      ))}
      {status ? <StatusWord status={status} /> : null}
    </div>
  </article>
)
