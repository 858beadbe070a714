import type { ReactNode } from 'react'

import type { Noun } from '../../../contract/format.ts'
import { AffairField } from './AffairField.tsx'
import { AffairRows } from './AffairRows.tsx'
import {
  type FieldFilter,
  type FieldGroup,
  type FieldSection,
  isFiltering,
  type RowSection,
  type ShownSection,
  countShown,
} from './sections.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Affair.module.css'

interface SectionsProps {
  sections: readonly ShownSection[]
  filter: FieldFilter
  /** Render the rows and fields of an edit form. */
  renderRows?: (section: RowSection) => ReactNode
  renderFields?: (section: FieldSection, group: FieldGroup) => ReactNode
  /** Beside the text of a field. */
  renderNote?: (path: string) => ReactNode
}

/** The sections; with a filter only those with matches. */
export const AffairSections = ({ sections, filter, renderRows, renderFields, renderNote }: SectionsProps) => {
  const filtering = isFiltering(filter)
  return sections
    .filter((section) => !filtering || countShown(section) > 0)
    .map((section) => (
      <section
        key={section.name}
        id={section.anchor}
        className={`${layoutClasses.lineBelow} ${classes.section}`}
        aria-labelledby={`${section.anchor}-title`}
      >
        <div className={`${layoutClasses.spreadRow} ${layoutClasses.bottomMargin12} ${classes.sectionHead}`}>
          <h2 id={`${section.anchor}-title`} className={textClasses.sectionTitle} tabIndex={-1}>
            {section.title}
          </h2>
          <span className={textClasses.caption}>{formatSectionCount(section, filtering)}</span>
        </div>
        {section.kind === 'rows'
          ? (renderRows?.(section) ?? <ReadRows section={section} typed={filter.typed} />)
          : section.groups.map((group) => (
              <div key={group.anchor} className={classes.group} id={group.title === null ? undefined : group.anchor}>
                {group.title === null ? null : (
                  <h3 className={`${textClasses.note} ${textClasses.strong} ${classes.groupTitle}`} tabIndex={-1}>
                    {group.title}
                  </h3>
                )}
                {renderFields?.(section, group) ?? <ReadFields group={group} typed={filter.typed} renderNote={renderNote} />}
              </div>
            ))}
      </section>
    ))
}

const ReadRows = ({ section, typed }: { section: RowSection; typed: string }) =>
  section.rows.length > 0 ? (
    <AffairRows section={section} typed={typed} />
  ) : (
    <p className={textClasses.dimmed}>No {ROW_NOUNS[section.name][1]} on file</p>
  )

const ReadFields = ({ group, typed, renderNote }: { group: FieldGroup; typed: string } & Pick<SectionsProps, 'renderNote'>) => (
  <dl className={`${layoutClasses.grid} ${classes.fields}`}>
    {group.fields.map((field) => (
      <AffairField key={field.name} field={field} typed={typed} note={renderNote?.(field.path)} />
    ))}
  </dl>
)

const ROW_NOUNS: Record<RowSection['name'], Noun> = {
  authorizer_board_member: ['member', 'members'],
  center_district: ['district', 'districts'],
}

const formatSectionCount = (section: ShownSection, filtering: boolean): string => {
  const [one, many] = section.kind === 'rows' ? ROW_NOUNS[section.name] : (['field', 'fields'] as const)
  const word = section.total === 1 ? one : many
  if (filtering) return `${countShown(section)} of ${section.total} ${word}`
  const empty = section.kind === 'rows' ? 0 : section.groups.flatMap((group) => group.fields).filter((field) => field.value === null).length
  return `${section.total} ${word}${empty > 0 ? `, ${empty} empty` : ''}`
}
