import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useRef } from 'react'

import { formatDay, formatMomentDay } from '../../../../contract/dates.ts'
import { useUser } from '../../../../platform/web/caller.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { showSuccess } from '../../../../platform/web/success-notice.ts'
import type { Contradiction } from '../contract.ts'
import { CONTRADICTION_TITLES, getContradictionKind, isSameField } from './contradictions.ts'
import { getFieldAddress, getRecordAddress, useDeadlineRecords } from './deadline-records.ts'
import { DeadlineIcon } from './DeadlineIcon.tsx'
import { changeDeadline, reloadDeadline, reloadDeadlines } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './SortOutView.module.css'

type Value = Contradiction['values'][number]

/** Copies the kept value to the other field: its text, or only its date if both texts are equal. */
const useKeep = ({ charter, values }: Contradiction, prepareFocus: () => () => void) => {
  const { replaceText } = useDeadlineRecords()
  return useMutation({
    mutationFn: async (kept: Value) => {
      const other = values.find((value) => value !== kept)
      if (!other || charter === null) return undefined
      const focusNext = prepareFocus()
      if (kept.text !== null && kept.text !== other.text)
        await replaceText({ charter: charter._id, section: other.section ?? '', field: other.field ?? '' }, other.text, kept.text)
      else if (other.deadline !== null) await changeDeadline(await reloadDeadline(other.deadline), { date: kept.date })
      await reloadDeadlines()
      return focusNext
    },
    onSuccess: (focusNext, kept) => {
      showSuccess({ text: `${formatDay(kept.date ?? '')} was kept.` })
      focusNext?.()
    },
    onError: () => void reloadDeadlines(),
  })
}

const ValueBox = ({
  contradiction,
  value,
  mayChange,
  keep,
}: {
  contradiction: Contradiction
  value: Value
  mayChange: boolean
  keep: ReturnType<typeof useKeep>
}) => {
  const { getFieldLabel, getSectionTitle } = useDeadlineRecords()
  const user = useUser()
  const { charter, site } = contradiction
  const date = formatDay(value.date ?? '')
  const isSame = isSameField(contradiction)
  const label = isSame ? getSectionTitle(value.section ?? '') : getFieldLabel(value)
  const isTwice = !isSame && contradiction.values.filter(({ field }) => field === value.field).length > 1
  const address = (isEdit: boolean) => getFieldAddress({ charter, site, ...value }, { isEdit })
  const who = value.changedBy === null ? null : value.changedBy === user?.name ? 'you' : value.changedBy
  return (
    <div className={`${layoutClasses.row} ${layoutClasses.spaceBetween} ${classes.value}`}>
      <div>
        <strong className={`${layoutClasses.block} ${textClasses.figures} ${textClasses.sectionTitle}`}>{date}</strong>
        {value.text !== null && value.text !== date ? (
          <q className={`${layoutClasses.block} ${layoutClasses.breakable} ${textClasses.smallerFont} ${classes.quoted}`}>{value.text}</q>
        ) : null}
        <span className={`${textClasses.caption} ${layoutClasses.block} ${textClasses.smallLines}`}>
          {isSame ? 'In ' : null}
          <Link {...address(false)} className={`${textClasses.linkColor} ${textClasses.underlined}`}>
            {label}
          </Link>
          {isTwice ? ` in ${getSectionTitle(value.section ?? '')}` : null}
        </span>
        {value.changedAt === null ? null : (
          <span className={`${textClasses.caption} ${layoutClasses.block} ${textClasses.smallLines}`}>
            {who === null ? 'Changed' : `Typed by ${who}`} on {formatMomentDay(value.changedAt, configuration.timeZone)}
          </span>
        )}
      </div>
      {mayChange ? (
        isSame ? (
          <Button
            size="compact-md"
            variant="default"
            data-print="no"
            aria-label={`Keep ${date} of ${label}`}
            loading={keep.isPending && keep.variables === value}
            disabled={keep.isPending}
            onClick={() => keep.mutate(value)}
          >
            Keep this
          </Button>
        ) : (
          <Button
            size="compact-md"
            variant="default"
            data-print="no"
            aria-label={`Change ${label}${isTwice ? ` in ${getSectionTitle(value.section ?? '')}` : ''}`}
            renderRoot={(props) => <Link {...address(true)} {...props} />}
          >
            Change
          </Button>
        )
      ) : null}
    </div>
  )
}

interface ContradictionRowProps {
  readonly contradiction: Contradiction
  readonly mayChange: boolean
  readonly prepareFocus: (row: Element | null) => () => void
}

/** Conflicting values side by side. */
export const ContradictionRow = ({ contradiction, mayChange, prepareFocus }: ContradictionRowProps) => {
  const { kind, message, values, charter, site } = contradiction
  const row = useRef<HTMLLIElement>(null)
  const id = useId()
  const keep = useKeep(contradiction, () => prepareFocus(row.current))
  const deadlineKind = getContradictionKind(contradiction)
  const title = CONTRADICTION_TITLES[kind]
  return (
    <li
      ref={row}
      className={`${layoutClasses.framed} ${layoutClasses.bottomMargin12} ${layoutClasses.clipped} ${classes.contradiction}`}
      aria-labelledby={id}
      data-sort-out
    >
      <div className={`${layoutClasses.grid} ${layoutClasses.railGround} ${classes.subject}`}>
        {deadlineKind ? <DeadlineIcon kind={deadlineKind} size={20} /> : null}
        <div>
          <h3 id={id}>{kind === 'sections disagree' ? `${values[0]?.label ?? title}: two dates` : title}</h3>
          <Link
            {...getRecordAddress({ charter, site })}
            className={`${textClasses.link} ${layoutClasses.block} ${layoutClasses.breakable}`}
          >
            {(charter ?? site)?.name}
          </Link>
        </div>
        <p className={`${textClasses.caption} ${textClasses.smallLines} ${layoutClasses.fullRow}`}>{message}.</p>
      </div>
      {values.map((value) => (
        <ValueBox
          key={`${value.section} ${value.field} ${value.row}`}
          contradiction={contradiction}
          value={value}
          mayChange={mayChange}
          keep={keep}
        />
      ))}
      <div role="alert" className={layoutClasses.fullRow}>
        {keep.error ? <p className={`${layoutClasses.badGround} ${classes.failed}`}>Error: {errorMessage(keep.error)}</p> : null}
      </div>
    </li>
  )
}
