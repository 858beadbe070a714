import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'

import { DiffText } from './DiffText.tsx'
import { diffTexts } from './text-diff.ts'

import textClasses from '../kit/Text.module.css'
import classes from './NowAndNew.module.css'

const MAX_WHOLE_LENGTH = 120

/** Whether only the words around a difference are shown. */
export const isLongText = (text: string): boolean => text.length > MAX_WHOLE_LENGTH

/** 'Unit 3 → Unit 3B'; for long texts, the words around the difference on two lines. A missing value reads 'empty'. */
export const NowAndNew = ({ now, next }: { now: string; next: string }) => {
  const isLong = isLongText(now) || isLongText(next)
  return (
    <span className={classes.values} data-now-and-new>
      <VisuallyHidden component="span">from </VisuallyHidden>
      {isLong ? <span className={textClasses.caption}>Now: </span> : null}
      <span className={textClasses.dimmed}>
        {isLong || diffTexts(next, now).own === '' ? <DiffText text={now} other={next} isClipped={isLong} isOld /> : now}
      </span>
      {isLong ? <br /> : <IconArrowRight size={14} stroke={1.75} aria-hidden />}
      <VisuallyHidden component="span"> to </VisuallyHidden>
      {isLong ? <span className={textClasses.caption}>New: </span> : null}
      {next === 'empty' ? (
        <mark className={`${textClasses.inheritedColor} ${classes.emptied}`}>empty</mark>
      ) : (
        <DiffText text={next} other={now === 'empty' ? '' : now} isClipped={isLong} />
      )}
    </span>
  )
}
