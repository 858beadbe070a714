import { diffTexts } from './text-diff.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './DiffText.module.css'

/** For longer texts only the words around the difference are shown. */
const MAX_CONTEXT_LENGTH = 60

const clipStart = (text: string): string => {
  if (text.length <= MAX_CONTEXT_LENGTH) return text
  const end = text.slice(-MAX_CONTEXT_LENGTH)
  return `… ${end.slice(end.search(/\s/) + 1)}`
}
const clipEnd = (text: string): string => {
  if (text.length <= MAX_CONTEXT_LENGTH) return text
  const start = text.slice(0, MAX_CONTEXT_LENGTH)
  return `${start.slice(0, Math.max(start.search(/\s\S*$/), 0))} …`
}

interface DiffTextProps {
  text: string
  /** The text to compare with. */
  other: string
  /** Shows only the words around the difference. */
  isClipped?: boolean
  /** Characters of the difference that are shown; all by default. */
  maxOwnLength?: number
  /** Whether this is the value being replaced. */
  isOld?: boolean
}

/** A text in which the differences from another are highlighted. */
export const DiffText = ({ text, other, isClipped = false, maxOwnLength = Infinity, isOld = false }: DiffTextProps) => {
  const { before, own, after } = diffTexts(text, other)
  return (
    <span className={`${layoutClasses.breakable} ${textClasses.preserved} ${classes.text}`} data-old={isOld || undefined}>
      {isClipped ? clipStart(before) : before}
      {own ? (
        <mark className={`${textClasses.inheritedColor} ${classes.mark}`}>
          {own.length > maxOwnLength ? `${own.slice(0, maxOwnLength).trimEnd()}…` : own}
        </mark>
      ) : null}
      {isClipped ? clipEnd(after) : after}
    </span>
  )
}
