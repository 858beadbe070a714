import { Button, VisuallyHidden } from '@mantine/core'
import { IconArrowsDiff } from '@tabler/icons-react'
import { memo } from 'react'

import { focusPage } from '../../../platform/web/navigation.ts'
import type { AffairSection } from '../fields.ts'
import { sectionTitles } from '../fields.ts'
import { type Disagreement, listDisagreements, repeatedPaths } from '../rules.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './RepeatedFields.module.css'

const formatSectionNames = (sections: readonly AffairSection[]): string => sections.map((section) => sectionTitles[section]).join(', ')

interface RepeatedFieldsProps {
  /** Texts by path: `overview.fein`. */
  texts: Readonly<Record<string, unknown>>
  /** Sets one of the texts in every section; undefined on the read-only page. */
  onPick?: ((field: Disagreement, text: string) => void) | undefined
  isSuggestion?: boolean
}

/** The fields whose values differ between sections, with all values to choose from. */
export const RepeatedFields = memo(
  ({ texts, onPick, isSuggestion = false }: RepeatedFieldsProps) => {
    const differing = listDisagreements(texts)
    if (differing.length === 0) return null
    return (
      <details className={`${layoutClasses.bottomMargin28} ${classes.panel}`} data-print="no" open={onPick !== undefined || undefined}>
        <summary className={`${layoutClasses.row} ${textClasses.wait} ${classes.summary}`}>
          <IconArrowsDiff size={20} stroke={1.75} aria-hidden />
          <span>
            <strong>
              {differing.length === 1
                ? '1 field has different values in different sections'
                : `${differing.length} fields have different values in different sections`}
            </strong>{' '}
            <span>
              {onPick
                ? `Choose the correct value. It is ${isSuggestion ? 'suggested when you press Send Suggestion' : 'saved when you press Submit Changes'}.`
                : differing.map(({ label }) => label).join(', ')}
            </span>
          </span>
        </summary>
        <ul className={classes.fields} aria-label="Fields with different values">
          {differing.map((field) => (
            <li key={field.name} className={classes.field} aria-label={field.label}>
              <span className={`${textClasses.strong} ${layoutClasses.topPadding2}`}>{field.label}</span>
              <ul className={`${layoutClasses.grid} ${classes.texts}`}>
                {field.texts.map(({ text, sections }) => (
                  <li
                    key={text}
                    className={`${layoutClasses.topRow} ${layoutClasses.outlined} ${layoutClasses.shrinkable} ${classes.value}`}
                  >
                    <span className={textClasses.hint}>{formatSectionNames(sections)}</span>
                    <span className={`${layoutClasses.breakable} ${classes.text}`} data-empty={text === '' || undefined}>
                      {text || 'empty'}
                    </span>
                    {onPick && text !== '' ? (
                      <Button
                        size="compact-sm"
                        variant="default"
                        onClick={({ currentTarget }) => {
                          // The field disappears from the list: move focus to the next one.
                          const item = currentTarget.closest(`.${classes.field}`)
                          const near = item?.nextElementSibling ?? item?.previousElementSibling
                          onPick(field, text)
                          requestAnimationFrame(() => (near ? near.querySelector('button')?.focus() : focusPage()))
                        }}
                      >
                        Use this
                        <VisuallyHidden component="span">
                          {' '}
                          for {field.label}: {text}
                        </VisuallyHidden>
                      </Button>
                    ) : null}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </details>
    )
  },
  (before, now) => before.onPick === now.onPick && repeatedPaths.every((path) => before.texts[path] === now.texts[path]),
)
