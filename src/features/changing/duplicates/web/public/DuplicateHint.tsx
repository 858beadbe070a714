import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'

import { getRecordPath, KIND_DUPLICATES } from '../../../../../contract/records.ts'
import type { DuplicateHintProps } from '../../../../../platform/web/record-features.tsx'
import { useFoundDuplicates } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './DuplicateHint.module.css'

const TYPING_PAUSE_MS = 400
const getColumn = (path: string): string => path.split('.').at(-1) ?? path

/** Says in the form of a new record which records it would probably duplicate. Saving stays possible. */
export const DuplicateHint = ({ kind, values }: DuplicateHintProps) => {
  const compared = useMemo(() => {
    const { names, signs } = KIND_DUPLICATES[kind]
    const columns = new Set([...names, ...signs.flatMap(({ columns: own }) => own)])
    const typed = Object.entries(values).filter(
      ([path, value]) => columns.has(getColumn(path)) && typeof value === 'string' && value.trim() !== '',
    )
    return typed.some(([path]) => names.includes(getColumn(path))) ? JSON.stringify(Object.fromEntries(typed)) : '{}'
  }, [kind, values])
  const [settled] = useDebouncedValue(compared, TYPING_PAUSE_MS)
  const { data } = useFoundDuplicates(
    kind,
    useMemo(() => JSON.parse(settled) as Record<string, unknown>, [settled]),
  )
  const found = settled === '{}' ? [] : (data ?? [])
  return (
    <div aria-live="polite">
      {found.length === 0 ? null : (
        <div className={`${layoutClasses.topRow} ${layoutClasses.waitGround} ${layoutClasses.topMargin16} ${classes.hint}`}>
          <IconAlertTriangle size={20} stroke={1.75} aria-hidden />
          <ul className={layoutClasses.content}>
            {found.map(({ record, reasons }) => (
              <li key={record._id}>
                This may be a duplicate of{' '}
                <Link to={getRecordPath(record)} target="_blank" className={`${textClasses.underlined} ${textClasses.inheritedColor}`}>
                  {record.name}
                </Link>
                {record.detail === '' ? '' : ` (${record.detail})`}:{' '}
                {reasons.map((reason) => reason.replace(/^(Same|Names|Different)\b/, (word) => word.toLowerCase())).join(', ')}.
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
