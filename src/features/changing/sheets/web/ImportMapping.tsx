import { NativeSelect } from '@mantine/core'
import { useState } from 'react'

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
  <div className={`${layoutClasses.card} ${layoutClasses.clipped}`}>
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

/** More choices are drawn only once they are needed: every site for each of a hundred words would take seconds. */
const MAX_DRAWN_CHOICES = 100
interface WordSelectProps {
  readonly label: string
  readonly value: string
  /** What a word that becomes nothing is called. */
  readonly none: string
  readonly choices: ImportState['choices'][string]
  readonly onChange: (value: string) => void
}
const WordSelect = ({ label, value, none, choices, onChange }: WordSelectProps) => {
  const [isNeeded, setNeeded] = useState(choices.length <= MAX_DRAWN_CHOICES)
  const need = () => setNeeded(true)
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={[{ value: '', label: none }, ...(isNeeded ? choices : choices.filter((choice) => choice.value === value))]}
      onPointerEnter={need}
      onPointerDown={need}
      onFocus={need}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** The words of the file that stand for something, each once, and what they become. */
export const ImportWords = ({ state: { values, fields, choices }, onChange }: MappingProps) =>
  [...Map.groupBy(values, ({ field }) => field)].map(([field, words]) => {
    const { label = field, none, about } = fields.find(({ key }) => key === field) ?? {}
    return (
      <section key={field} aria-labelledby={`words-${field}`}>
        <h2 id={`words-${field}`}>{label}</h2>
        {about ? <p className={`${textClasses.note} ${layoutClasses.bottomMargin12}`}>{about}</p> : null}
        <div className={`${layoutClasses.card} ${layoutClasses.bottomMargin20} ${layoutClasses.clipped}`}>
          <ul aria-labelledby={`words-${field}`}>
            {words.map(({ value, count, target, confidence, reason }, at) => (
              <li key={value} data-of="value" className={`${classes.row} ${at === 0 ? '' : layoutClasses.lineAbove}`}>
                <h3 className={`${layoutClasses.breakable} ${textClasses.bodyFont}`}>{value}</h3>
                <span className={textClasses.dimmed}>
                  <Parts>
                    <span>{formatCount(count, 'row')}</span>
                  </Parts>
                </span>
                <WordSelect
                  label={`${value} becomes`}
                  value={target ?? ''}
                  none={none ?? NOT_IMPORTED}
                  choices={choices[field] ?? []}
                  onChange={(next) => onChange({ values: { [field]: { [value]: next || null } } })}
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
