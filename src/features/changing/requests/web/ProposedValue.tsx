import { Modal } from '@mantine/core'
import { useState } from 'react'

import { getPictureId, toPictureUrl } from '../../../../contract/fields.ts'
import { DiffText } from '../../../../platform/web/form/DiffText.tsx'
import { RecordPhoto } from '../../../../platform/web/kit/RecordPhoto.tsx'
import { TextButton } from '../../../../platform/web/kit/TextButton.tsx'
import type { ProposedField } from '../contract.ts'
import { formatField, isPicture } from './decision.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './DecidePage.module.css'

/** Longer texts only show the words around the difference on a phone. */
const MAX_WHOLE_LENGTH = 240

const toSource = (value: unknown): string | null => {
  const id = getPictureId(typeof value === 'string' ? value : null)
  return id === null ? null : toPictureUrl(id)
}

const Picture = ({ value, caption }: { value: unknown; caption: string }) => (
  <span className={`${layoutClasses.block} ${classes.picture}`}>
    <RecordPhoto src={toSource(value)} name={`this record, ${caption}`} shape="16:9" />
  </span>
)

/** The current value of a field, or for a decided one its value when the change was suggested. */
export const NowValue = ({ field }: { field: ProposedField }) => {
  const value = field.state === 'open' ? field.present : field.before
  if (isPicture(field)) return <Picture value={value} caption="now" />
  const { present, before } = formatField(field)
  return <span className={`${textClasses.dimmed} ${textClasses.preserved}`}>{field.state === 'open' ? present : before}</span>
}

const ComparedPictures = ({ field, onClose }: { field: ProposedField; onClose: () => void }) => (
  <Modal opened onClose={onClose} title={field.label} size={1240}>
    <div className={`${layoutClasses.grid} ${classes.compared}`}>
      {[
        { title: 'Now', value: field.present },
        { title: 'Suggested', value: field.suggested },
      ].map(({ title, value }) => {
        const source = toSource(value)
        return (
          <figure key={title}>
            <figcaption>{title}</figcaption>
            {source ? <img src={source} alt={`${field.label}, ${title.toLowerCase()}`} /> : <p>No picture</p>}
          </figure>
        )
      })}
    </div>
  </Modal>
)

/** The suggested value, with its differences from the current one highlighted. */
export const SuggestedValue = ({ field }: { field: ProposedField }) => {
  const [isCompared, setCompared] = useState(false)
  if (isPicture(field))
    return (
      <>
        <Picture value={field.suggested} caption="suggested" />
        <TextButton isUnderlined onClick={() => setCompared(true)}>
          Compare large
        </TextButton>
        {isCompared ? <ComparedPictures field={field} onClose={() => setCompared(false)} /> : null}
      </>
    )
  const { suggested, present, before } = formatField(field)
  return <DiffText text={suggested} other={field.state === 'open' ? present : before} isClipped={suggested.length > MAX_WHOLE_LENGTH} />
}
