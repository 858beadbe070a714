import { Tooltip } from '@mantine/core'
import { useState } from 'react'

import { findExplainedWord, useGlossary } from '../glossary.ts'

import classes from './LabelText.module.css'

/** A word of the glossary: pointing at it, tapping it or going to it with the keyboard explains it. */
const ExplainedWord = ({ word, meaning }: { word: string; meaning: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Tooltip label={meaning} opened={isOpen} multiline w={280} position="top-start">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <dfn
        className={classes.word}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onPointerEnter={({ pointerType }) => setOpen((before) => before || pointerType === 'mouse')}
        onPointerLeave={({ pointerType }) => setOpen((before) => before && pointerType !== 'mouse')}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setOpen(false)
        }}
        onClick={(event) => {
          // It may be in the label of a field, which would get the focus.
          event.preventDefault()
          setOpen(true)
        }}
      >
        {word}
      </dfn>
    </Tooltip>
  )
}

/** The text of a label, in which a word of the trade is explained. */
export const LabelText = ({ text }: { text: string }) => {
  const found = findExplainedWord(useGlossary(), text)
  if (!found) return text
  const { at, word, meaning } = found
  return (
    <>
      {text.slice(0, at)}
      <ExplainedWord word={word} meaning={meaning} />
      {text.slice(at + word.length)}
    </>
  )
}
