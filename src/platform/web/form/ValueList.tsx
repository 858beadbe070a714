import { IconX } from '@tabler/icons-react'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ValueList.module.css'

interface ValueListProps {
  readonly label: string
  readonly entries: readonly { readonly key: string; readonly text: string }[]
  readonly onRemove: (key: string) => void
}

/** The entries of a list in a form, each with a button that removes it. */
export const ValueList = ({ label, entries, onRemove }: ValueListProps) =>
  entries.length === 0 ? null : (
    <ul className={`${layoutClasses.wrappingRow} ${layoutClasses.bottomMargin10}`} aria-label={label}>
      {entries.map(({ key, text }) => (
        <li key={key} className={`${layoutClasses.inlineRow} ${textClasses.smallFont} ${classes.entry}`}>
          {text}
          <button
            type="button"
            className={`${layoutClasses.centered} ${textClasses.dimmed} ${layoutClasses.hoverable} ${classes.remove}`}
            aria-label={`Remove ${text}`}
            onClick={(event) => {
              // Focus moves to the next entry's button, since this one disappears.
              const entry = event.currentTarget.closest('li')
              const near = entry?.nextElementSibling ?? entry?.previousElementSibling
              const next = near?.querySelector('button') ?? entry?.closest('[data-field]')?.querySelector<HTMLElement>('select, input')
              onRemove(key)
              requestAnimationFrame(() => next?.focus())
            }}
          >
            <IconX size={15} stroke={2} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
