import type { ComponentProps } from 'react'

import classes from './TextButton.module.css'

interface TextButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className'> {
  /** Within a sentence, in its size. */
  isUnderlined?: boolean
}

/** A button that looks like a link: Undo, Leave out. */
export const TextButton = ({ isUnderlined = false, ...props }: TextButtonProps) => (
  <button type="button" className={classes.button} data-underlined={isUnderlined || undefined} {...props} />
)

interface ShowMoreProps {
  /** Rows that do not show. */
  left: number
  /** Rows that are shown with each press. */
  step: number
  onShow: () => void
}

/** Shows more rows of a long list, where there are some. */
export const ShowMore = ({ left, step, onShow }: ShowMoreProps) =>
  left > 0 ? (
    <div className={classes.more}>
      <TextButton onClick={onShow}>Show {Math.min(left, step).toLocaleString('en-US')} more</TextButton>
    </div>
  ) : null
