import { NativeSelect } from '@mantine/core'

import { formatCount } from '../../../../contract/format.ts'
import { Parts } from '../../../../platform/web/kit/Parts.tsx'
import type { GivenMapping, ImportState } from '../imports/contract.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './ImportMapping.module.css'

const SURE = 0.7
const NOT_IMPORTED = 'Not imported'

/** How sure the guess is: green, or amber with the reason. */
const HowSure = ({ isUsed, confidence, reason }: { readonly isUsed: boolean; readonly confidence: number; readonly reason: string }) =>
  isUsed ? (
    <span
      className={`${confidence >= SURE ? layoutClasses.okGround : layoutClasses.waitGround} ${textClasses.smallerFont} ${textClasses.strong} ${classes.sure}`}
    >
      {reason}
    </span>
  ) : (
    <span className={textClasses.note}>{reason}</span>
  )

interface MappingProps {
  readonly state: ImportState
  readonly onChange: (mapping: GivenMapping) => void
}

/** A row for each column of the file: its header, values from it, what it becomes, and why. */
export const ImportColumns = ({ state: { columns, fields }, onChange }: MappingProps) => (
  <div className={`${layoutClasses.card} ${classes.table}`}>
    <div aria-hidden className={`${classes.row} ${textClasses.label} ${classes.heads}`}>
      <span>Column in your file</span>
      <span>What is in it</span>
      <span>Becomes</span>
      <span>How sure</span>
    </div>
    <ul aria-label="Columns">
      {columns.map(({ index, header, samples, field, confidence, reason }) => {
        const name = header || `Column ${index + 1}`
        return (
          <li key={index} className={`${classes.row} ${layoutClasses.lineAbove}`}>
            <h2 className={`${layoutClasses.breakable} ${textClasses.bodyFont}`}>{name}</h2>
            <span className={`${layoutClasses.breakable} ${textClasses.dimmed}`}>
              {samples.length === 0 ? 'Empty' : samples.join(' · ')}
            </span>
            <NativeSelect
              aria-label={`${name} becomes`}
              value={field ?? ''}
              data={[
                { value: '', label: NOT_IMPORTED },
                ...fields.map(({ key, label, isRequired }) => ({ value: key, label: isRequired ? `${label} (needed)` : label })),
              ]}
              onChange={({ currentTarget }) => onChange({ columns: { [index]: currentTarget.value || null } })}
            />
            <HowSure isUsed={field !== null} confidence={confidence} reason={reason} />
          </li>
        )
      })}
    </ul>
  </div>
)

/** The words of the file that stand for something, each once, and what they become. */
export const ImportWords = ({ state: { values, fields, choices }, onChange }: MappingProps) =>
  [...Map.groupBy(values, ({ field }) => field)].map(([field, words]) => {
    const label = fields.find(({ key }) => key === field)?.label ?? field
    return (
      <section key={field} aria-labelledby={`words-${field}`}>
        <h2 id={`words-${field}`}>{label}</h2>
        <div className={`${layoutClasses.card} ${layoutClasses.bottomMargin20} ${classes.table}`}>
          <ul aria-labelledby={`words-${field}`}>
            {words.map(({ value, count, target, confidence, reason }, at) => (
              <li key={value} className={`${classes.row} ${at === 0 ? '' : layoutClasses.lineAbove}`}>
                <h3 className={`${layoutClasses.breakable} ${textClasses.bodyFont}`}>{value}</h3>
                <span className={textClasses.dimmed}>
                  <Parts>
                    <span>{formatCount(count, 'row')}</span>
                  </Parts>
                </span>
                <NativeSelect
                  aria-label={`${value} becomes`}
                  value={target ?? ''}
                  data={[{ value: '', label: NOT_IMPORTED }, ...(choices[field] ?? [])]}
                  onChange={({ currentTarget }) => onChange({ values: { [field]: { [value]: currentTarget.value || null } } })}
                />
                <HowSure
                  isUsed={target !== null || confidence < SURE}
                  confidence={target === null && confidence < SURE ? 0 : confidence}
                  reason={reason}
                />
              </li>
            ))}
          </ul>
        </div>
      </section>
    )
  })
