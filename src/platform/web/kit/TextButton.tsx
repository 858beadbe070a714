import type { ComponentProps } from 'react'

import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'
import classes from './TextButton.module.css'

interface TextButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  /** Within a sentence, at its font size. */
  isUnderlined?: boolean
  /** The name of a table row. */
  isName?: boolean
}

/** A button that looks like a link: Undo, Leave out. */
export const TextButton = ({ isUnderlined = false, isName = false, ...props }: TextButtonProps) => (
  <button
    type="button"
    className={`${textClasses.linkColor} ${textClasses.smallFont} ${classes.button}`}
    data-underlined={isUnderlined || undefined}
    data-name={isName || undefined}
    {...props}
  />
)

interface ShowMoreProps {
  /** The number of hidden rows. */
  left: number
  /** How many more rows each press shows. */
  step: number
  onShow: () => void
}

/** A button that shows more rows of a long list, if there are any. */
export const ShowMore = ({ left, step, onShow }: ShowMoreProps) =>
  left > 0 ? (
    <div className={layoutClasses.topMargin8}>
      <TextButton onClick={onShow}>Show {Math.min(left, step).toLocaleString('en-US')} more</TextButton>
    </div>
  ) : null
