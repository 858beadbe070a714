import { Button, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { formatDaysAgo, formatMomentTime } from '../../../contract/dates.ts'
import { configuration } from '../configuration.ts'
import { BarWords, BottomBar } from '../kit/BottomBar.tsx'
import { TextButton } from '../kit/TextButton.tsx'
import { BackButton } from './BackButton.tsx'
import { getLabel, formatValue, type FieldsByPath, type FormField } from './fields.ts'
import { FieldValueText } from './FieldValueText.tsx'
import type { Conflict } from './merge.ts'
import { combineTexts, diffTexts } from './text-diff.ts'
import type { FormState } from './use-edit-form.ts'
import { type FieldValue, toText } from './values.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ConflictView.module.css'

type Side = 'mine' | 'theirs'
/** The chosen value of a field: one of the two, or for text a combination edited here. */
type Choice = { readonly side: Side } | { readonly side: 'both'; readonly text: string }

interface ConflictViewProps {
  readonly conflict: Conflict
  readonly form: Pick<FormState, 'saveMerged' | 'returnToForm' | 'isSaving'>
  readonly fields: FieldsByPath
}

const DifferingText = ({ text, other }: { text: string; other: string }) => {
  const { before, own, after } = diffTexts(text, other)
  return (
    <span className={`${layoutClasses.breakable} ${textClasses.preserved}`}>
      {before}
      {own ? <mark>{own}</mark> : null}
      {after}
    </span>
  )
}

interface ConflictingFieldProps {
  path: string
  field: FormField | undefined
  mine: FieldValue
  theirs: FieldValue
  before: FieldValue
  by: string
  chosen: Choice | undefined
  onChoose: (choice: Choice) => void
}

/** A field that both people changed: the two texts with their differences marked, and the original value. */
const ConflictingField = ({ path, field, mine, theirs, before, by, chosen, onChoose }: ConflictingFieldProps) => {
  const label = field?.longLabel ?? field?.label ?? path
  const texts: Record<Side, string> = { mine: formatValue(field, mine), theirs: formatValue(field, theirs) }
  return (
    <fieldset className={`${layoutClasses.grid} ${layoutClasses.lineBelow} ${classes.pair}`} data-field={path}>
      <legend className={`${layoutClasses.vertical} ${textClasses.strong} ${classes.label}`}>
        {label}
        {chosen ? null : <span className={`${textClasses.smallerFont} ${textClasses.wait}`}>Choose one</span>}
      </legend>
      {(['mine', 'theirs'] as const).map((side) => (
        <label
          key={side}
          className={`${layoutClasses.rounded} ${layoutClasses.pressable} ${layoutClasses.spaced} ${classes.side}`}
          data-chosen={chosen?.side === side || undefined}
        >
          <input type="radio" name={`both ${path}`} checked={chosen?.side === side} onChange={() => onChoose({ side })} />
          <span className={layoutClasses.column}>
            <span className={`${textClasses.caption} ${classes.author}`}>{side === 'mine' ? 'Your version' : by}</span>
            {field?.kind === 'own' && field.Preview ? (
              <FieldValueText field={field} value={side === 'mine' ? mine : theirs} />
            ) : (
              <DifferingText text={texts[side]} other={texts[side === 'mine' ? 'theirs' : 'mine']} />
            )}
          </span>
        </label>
      ))}
      <p className={`${layoutClasses.vertical} ${textClasses.dimmed} ${classes.original}`}>
        <span className={`${textClasses.caption} ${classes.author}`}>Original</span>
        <span className={`${layoutClasses.breakable} ${textClasses.preserved}`}>
          <FieldValueText field={field} value={before} />
        </span>
      </p>
      {field?.kind === 'lines' || field?.kind === 'free' ? (
        <div
          className={`${layoutClasses.stack} ${layoutClasses.rounded} ${classes.both}`}
          data-chosen={chosen?.side === 'both' || undefined}
        >
          <label className={layoutClasses.column}>
            <span>
              <input
                type="radio"
                name={`both ${path}`}
                checked={chosen?.side === 'both'}
                onChange={() => onChoose({ side: 'both', text: combineTexts(toText(before), toText(mine), toText(theirs)) })}
              />{' '}
              Both, combined
            </span>
          </label>
          {chosen?.side === 'both' ? (
            <Textarea
              aria-label={`${label}, combined`}
              autosize
              minRows={3}
              value={chosen.text}
              onChange={(event) => onChoose({ side: 'both', text: event.currentTarget.value })}
            />
          ) : null}
        </div>
      ) : null}
    </fieldset>
  )
}

/** The fields that only one of the two changed, which are kept. */
const MergedFields = ({ conflict, fields, by }: { conflict: Conflict; fields: FieldsByPath; by: string }) => {
  const { merge, before } = conflict
  const rows = [
    ...merge.mine.map((path) => ({ path, whose: 'You', now: conflict.mine[path] })),
    ...merge.theirs.map((path) => ({ path, whose: by, now: conflict.theirs.values[path] })),
    ...merge.combined.map((path) => ({ path, whose: `You and ${by}, combined`, now: merge.values[path] })),
  ]
  if (rows.length === 0) return null
  return (
    <section className={layoutClasses.sectionStart} aria-labelledby="kept-as-they-are">
      <h2 id="kept-as-they-are">Changed by only one of you. Both changes will be saved.</h2>
      <ul className={layoutClasses.topMargin8}>
        {rows.map(({ path, whose, now }) => (
          <li key={path} className={`${layoutClasses.lineBelow} ${layoutClasses.grid} ${classes.row}`}>
            <strong>{getLabel(fields, path)}</strong>
            <span className={`${layoutClasses.breakable} ${textClasses.preserved}`}>
              <FieldValueText field={fields[path]} value={now} />
            </span>
            <span className={`${layoutClasses.breakable} ${textClasses.dimmed}`}>Before: {formatValue(fields[path], before[path])}</span>
            <span>{whose}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Resolves two edits of one record: says who saved and when, shows both versions of conflicting fields with the original between them, lists the
 * fields that merge automatically, and saves the chosen values. Nothing typed is lost.
 */
export const ConflictView = ({ conflict, form, fields }: ConflictViewProps) => {
  const { merge, before, mine, theirs } = conflict
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({})
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const by = theirs.updatedBy ?? 'Someone else'
  const open = merge.conflicts.filter((path) => chosen[path] === undefined)
  const [next] = open
  const chooseAll = (side: Side) => setChosen(Object.fromEntries(merge.conflicts.map((path) => [path, { side }])))
  const valueOf = (path: string, choice: Choice): FieldValue => {
    if (choice.side === 'both') return choice.text
    return (choice.side === 'mine' ? mine : theirs.values)[path] ?? null
  }
  const back = () =>
    form.returnToForm(
      Object.fromEntries(Object.entries(chosen).flatMap(([path, choice]) => (choice.side === 'both' ? [[path, choice.text]] : []))),
    )
  const save = () => form.saveMerged(Object.fromEntries(Object.entries(chosen).map(([path, choice]) => [path, valueOf(path, choice)])))
  const goTo = (path: string) => document.querySelector<HTMLElement>(`[data-field="${CSS.escape(path)}"] input`)?.focus()
  return (
    <>
      <BackButton label="Back to the Form" onPress={back} />
      <h1 ref={heading} tabIndex={-1} className={layoutClasses.topMargin4}>
        {by} saved this while you were editing
      </h1>
      <p className={`${textClasses.dimmed} ${classes.about}`}>
        They saved {formatDaysAgo(theirs.updatedAt, configuration.timeZone)} at {formatMomentTime(theirs.updatedAt, configuration.timeZone)}
        . None of your changes are lost. Choose what to keep where you both changed the same field.
      </p>
      <div className={`${layoutClasses.spreadRow} ${layoutClasses.lineBelow} ${classes.head}`}>
        <h2>
          {merge.conflicts.length === 1 ? 'You both changed one field' : `You both changed ${merge.conflicts.length} fields`}{' '}
          {open.length ? (
            <span className={`${layoutClasses.waitGround} ${textClasses.smallerFont} ${classes.count}`}>{open.length} to choose</span>
          ) : null}
        </h2>
        <span className={layoutClasses.spaced}>
          <Button size="compact-md" variant="default" onClick={() => chooseAll('mine')}>
            Keep All of Mine
          </Button>
          <Button size="compact-md" variant="default" onClick={() => chooseAll('theirs')}>
            Keep All of Theirs
          </Button>
        </span>
      </div>
      {merge.conflicts.map((path) => (
        <ConflictingField
          key={path}
          path={path}
          field={fields[path]}
          mine={mine[path] ?? null}
          theirs={theirs.values[path] ?? null}
          before={before[path] ?? null}
          by={by}
          chosen={chosen[path]}
          onChoose={(choice) => setChosen({ ...chosen, [path]: choice })}
        />
      ))}
      <MergedFields conflict={conflict} fields={fields} by={by} />
      <BottomBar>
        <BarWords>
          <strong>
            {next === undefined ? (
              'You have chosen for every field.'
            ) : (
              <>
                {open.length === 1 ? '1 field left to choose:' : `${open.length} fields left to choose:`}{' '}
                <TextButton isUnderlined onClick={() => goTo(next)}>
                  {getLabel(fields, next)}
                </TextButton>
              </>
            )}
          </strong>
        </BarWords>
        <Button variant="default" onClick={back}>
          Back to the Form
        </Button>
        <Button loading={form.isSaving} onClick={() => (next === undefined ? void save() : goTo(next))}>
          Save Combined Version
        </Button>
      </BottomBar>
    </>
  )
}
