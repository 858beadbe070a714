import { useState } from 'react'

import { toPictureSrcset } from '../../../contract/fields.ts'
import { SchoolDrawing } from './SchoolDrawing.tsx'

import layoutClasses from './Layout.module.css'
import classes from './RecordPhoto.module.css'

interface RecordPhotoProps {
  src: string | null
  /** The name of the record. */
  name: string
  /** Which school to draw if there is no photo; a generic one by default. */
  drawn?: { readonly type: string | null; readonly id: string }
  /** 16:10 in the head of a page (the default), 16:9 on cards, 4:3 in rows. */
  shape?: '16:10' | '16:9' | '4:3'
  /** Next to the name as text, so hidden from screen readers. */
  decorative?: boolean
}

/** The width of each shape on the page (`sizes`): DetailHead's column, a card, the start of a row. */
const SIZES = {
  '16:10': '(max-width: 745px) 100vw, 320px',
  '16:9': '320px',
  '4:3': '72px',
} as const

const ANY_SCHOOL = { type: null, id: '' }

/** A photo with a fixed aspect ratio; the default school image if there is none or it does not load. */
export const RecordPhoto = ({ src, name, drawn = ANY_SCHOOL, shape = '16:10', decorative = false }: RecordPhotoProps) => {
  const [broken, setBroken] = useState<string | null>(null)
  if (src && src !== broken) {
    return (
      <span className={`${layoutClasses.centered} ${layoutClasses.fullWidth} ${layoutClasses.clipped} ${classes.photo}`} data-shape={shape}>
        <img
          src={src}
          srcSet={toPictureSrcset(src)}
          sizes={SIZES[shape]}
          alt={decorative ? '' : `Photo of ${name}`}
          {...(shape === '16:10' ? ({ loading: 'eager', fetchPriority: 'high' } as const) : ({ loading: 'lazy' } as const))}
          onError={() => setBroken(src)}
        />
      </span>
    )
  }
  return (
    <span
      className={`${layoutClasses.centered} ${layoutClasses.fullWidth} ${layoutClasses.clipped} ${classes.photo}`}
      data-shape={shape}
      data-default
      {...(decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `No photo of ${name}` })}
    >
      <SchoolDrawing {...drawn} />
    </span>
  )
}
