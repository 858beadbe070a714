import { Radio, VisuallyHidden } from '@mantine/core'
import { type ComponentType, useState } from 'react'

import { getPictureId, toPictureUrl, toResizedPictureUrl } from '../../../../contract/fields.ts'
import { type EditableKind, OWNED_KINDS } from '../../../../contract/records.ts'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import { formatFieldValue } from '../../requests/rules.ts'
import type { Choice, MergedField } from '../contract.ts'
import { type FieldChoice, type FieldChoices, getChoice, getTogether } from './choices.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './MergePage.module.css'

/** The input of a field; passed in, because records belong to higher groups. */
export interface EditsFields {
  readonly FieldEditor: ComponentType<{
    kind: EditableKind
    path: string
    label: string
    value: unknown
    onChange: (value: unknown) => void
  }>
}

interface MergeRowProps extends EditsFields {
  readonly kind: EditableKind
  readonly field: MergedField
  readonly names: Readonly<Record<Choice, string>>
  readonly choices: FieldChoices
  readonly onChoose: (path: string, choice: FieldChoice) => void
}

/** Fields of a record that belongs to this one have the name of its kind before their path. */
const splitPath = (kind: EditableKind, path: string): readonly [EditableKind, string] => {
  const owned = OWNED_KINDS.find(([one, owner]) => owner === kind && path.startsWith(`${one}.`))?.[0]
  return owned === undefined ? [kind, path] : [owned, path.slice(owned.length + 1)]
}

const isPictureField = ({ keepName, mergeName }: MergedField): boolean => [keepName, mergeName].includes('Picture')
/** Whether neither record has a value: a weekday that is not set. */
export const isBlank = ({ path, keep, keepName, isSame }: MergedField): boolean =>
  isSame && formatFieldValue(path, keep, keepName) === 'empty'

/** A value as text, or as a picture. */
const Shown = ({ field, value, name }: { field: MergedField; value: unknown; name: string | null }) => {
  const id = isPictureField(field) && typeof value === 'string' ? getPictureId(value) : null
  if (id !== null) return <img className={classes.picture} src={toResizedPictureUrl(toPictureUrl(id), 320)} alt={field.label} />
  const text = formatFieldValue(field.path, value, name)
  return text === 'empty' ? <span className={textClasses.dimmed}>None</span> : text
}

/** The value of one record, with a choice if the other has another one. */
const Value = ({ side, field, choices, names, onChoose }: Omit<MergeRowProps, 'kind' | 'FieldEditor'> & { side: Choice }) => {
  const [value, name] = side === 'keep' ? [field.keep, field.keepName] : [field.merge, field.mergeName]
  const shown = <Shown field={field} value={value} name={name} />
  if (field.isSame || field.united || formatFieldValue(field.path, value, name) === 'empty') return shown
  const choice = getChoice(field, choices)
  return (
    <Radio
      name={field.path}
      value={side}
      checked={choice === side}
      onChange={() => onChoose(field.path, side)}
      label={
        <>
          <VisuallyHidden>
            {field.label} of {names[side]}:{' '}
          </VisuallyHidden>
          {shown}
        </>
      }
    />
  )
}

/** A field of two records: both values, and what the one that stays will have. */
export const MergeRow = (props: MergeRowProps) => {
  const { kind, field, names, choices, onChoose, FieldEditor } = props
  const [isTyping, setTyping] = useState(false)
  const together = getTogether(field, choices)
  const isPicture = isPictureField(field)
  const choice = getChoice(field, choices)
  const text = formatFieldValue(field.path, together.value, together.name)
  const isFromOther = text !== formatFieldValue(field.path, field.keep, field.keepName) || (isPicture && choice === 'merge')
  const [edited, path] = splitPath(kind, field.path)
  const isTypeable = !field.isSame && !isPicture && field.united === null
  return (
    <tr>
      <th scope="row">{field.label}</th>
      {(['keep', 'merge'] as const).map((side) => (
        <td key={side} data-side={names[side]} className={layoutClasses.breakable}>
          <Value side={side} {...{ field, choices, names, onChoose }} />
        </td>
      ))}
      <td data-side="Together" className={layoutClasses.breakable}>
        {isTyping ? (
          <FieldEditor
            kind={edited}
            path={path}
            label={`${field.label}, together`}
            value={together.value}
            onChange={(typed) => onChoose(field.path, { typed })}
          />
        ) : (
          <span className={`${layoutClasses.spaceBetween} ${classes.together}`}>
            {isFromOther && text !== 'empty' ? (
              <mark>
                <Shown field={field} value={together.value} name={together.name} />
              </mark>
            ) : (
              <span>
                <Shown field={field} value={together.value} name={together.name} />
              </span>
            )}
            {isTypeable ? (
              <TextButton onClick={() => setTyping(true)}>
                Edit<VisuallyHidden> {field.label}</VisuallyHidden>
              </TextButton>
            ) : null}
          </span>
        )}
      </td>
    </tr>
  )
}
