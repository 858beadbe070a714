import { Fragment } from 'react'
import type { ReactNode } from 'react'

import { LabelText } from './LabelText.tsx'

import classes from './Facts.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

export interface Fact {
  label: string
  /** The value; null or empty text shows `emptyText`. */
  value: ReactNode
  /** Below the value: the suggested value. */
  note?: ReactNode
  /** Shown if there is no value. */
  emptyText?: string
  /** Long text: takes the full width if the facts are in columns. */
  isWide?: boolean
  /** False hides it on phones, where a button shows the same. */
  isOnPhones?: boolean
}

const isEmpty = (value: ReactNode): boolean => value === null || value === undefined || value === '' || value === false

const Value = ({ fact }: { fact: Fact }) =>
  isEmpty(fact.value) ? <span className={textClasses.dimmed}>{fact.emptyText ?? 'None provided'}</span> : <>{fact.value}</>

interface FactsProps {
  facts: readonly Fact[]
  /**
   * `rows`: label at the left with hairlines, for an aside. `columns`: label above, two or three columns, for a page of facts. `head`: label above,
   * next to the picture of a detail page; `line`: the same, on one line as far as they fit.
   */
  variant?: 'rows' | 'columns' | 'head' | 'line'
}

/** Labeled facts. */
export const Facts = ({ facts, variant = 'rows' }: FactsProps) => (
  <dl className={classes.facts} data-variant={variant}>
    {facts.map((fact) => (
      <div
        key={fact.label}
        className={classes.fact}
        data-wide={fact.isWide || undefined}
        data-desk={fact.isOnPhones === false || undefined}
      >
        <dt className={`${textClasses.dimmed} ${classes.label}`}>
          <LabelText text={fact.label} />
        </dt>
        <dd className={`${layoutClasses.content} ${textClasses.keptLines} ${classes.value}`}>
          <Value fact={fact} />
          {fact.note}
        </dd>
      </div>
    ))}
  </dl>
)

type Plain = string | number | boolean | null

/**
 * Facts from a record and its list of labels, in label order. Does not compile if a field has no label, or if one that is not plain text, a number or
 * a boolean is missing in `show`.
 */
export const toFacts = <Field extends string, Shown extends Field = never>(
  labels: Record<Field, string>,
  record: Readonly<Record<Exclude<Field, Shown>, Plain>>,
  show: Readonly<Record<Shown, Omit<Fact, 'label'>>>,
  toNote?: (field: Field) => ReactNode,
): Fact[] => {
  const isShown = (field: Field): field is Shown => field in show
  const isPlain = (field: Field): field is Exclude<Field, Shown> => !isShown(field)
  return (Object.keys(labels) as Field[]).map((field) => ({
    label: labels[field],
    ...(isShown(field) ? show[field] : { value: isPlain(field) ? formatPlainValue(record[field]) : null }),
    ...(toNote ? { note: toNote(field) } : {}),
  }))
}

const formatPlainValue = (value: Plain): ReactNode => {
  if (value === null || value === '') return null
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

/** Lines of text below each other. */
export const Lines = ({ of: lines }: { of: readonly (string | null)[] }) =>
  lines.filter(Boolean).map((line, at) => (
    <Fragment key={line}>
      {at > 0 ? <br /> : null}
      {line}
    </Fragment>
  ))
