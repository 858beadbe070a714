import { IconClock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import type { EditableKind } from '../../../../../contract/records.ts'
import { truncateText } from '../../../history/rules.ts'
import { countOpenFields } from '../../rules.ts'
import { formatField } from '../decision.ts'
import { useRecordSuggestions } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './Suggestions.module.css'

interface SuggestionsProps {
  kind: EditableKind
  _id: string
}

/** '2 suggested changes waiting', for users who may decide and for the sender; links to the one waiting longest. */
export const SuggestionsLink = ({ kind, _id }: SuggestionsProps) => {
  const { data: proposals = [] } = useRecordSuggestions(kind, _id)
  const oldest = proposals.at(-1)
  const count = countOpenFields(proposals)
  if (!oldest || count === 0) return null
  return (
    <Link
      to="/requests/$id"
      params={{ id: oldest._id }}
      className={`${layoutClasses.inlineRow} ${layoutClasses.waitGround} ${textClasses.strong} ${classes.pill}`}
      data-print="no"
    >
      <IconClock size={15} stroke={1.75} aria-hidden />
      <span>{count === 1 ? '1 suggested change waiting' : `${count} suggested changes waiting`}</span>
    </Link>
  )
}

/** Below a fact: suggestions for its fields, for users who may decide and for the sender. */
export const SuggestedValues = ({ kind, _id, paths }: SuggestionsProps & { paths: readonly string[] }) => {
  const { data: proposals = [] } = useRecordSuggestions(kind, _id)
  const suggested = proposals.flatMap((proposal) =>
    proposal.fields.filter(({ path, state }) => state === 'open' && paths.includes(path)).map((field) => ({ _id: proposal._id, field })),
  )
  return suggested.map(({ _id: proposal, field }) => (
    <span
      key={`${proposal} ${field.path}`}
      className={`${layoutClasses.block} ${textClasses.smallerFont} ${textClasses.wait} ${classes.suggested}`}
      data-print="no"
    >
      <IconClock size={14} stroke={1.75} aria-hidden /> Suggested{paths.length > 1 ? `, ${field.label}` : ''}:{' '}
      <Link to="/requests/$id" params={{ id: proposal }}>
        {truncateText(formatField(field).suggested)}
      </Link>
    </span>
  ))
}
