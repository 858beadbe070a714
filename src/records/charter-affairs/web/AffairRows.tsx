import { useMediaQuery } from '@mantine/hooks'

import { AffairField, FieldDeadline, FieldText } from './AffairField.tsx'
import { MatchedText } from './MatchedText.tsx'
import type { RowSection, ShownField, ShownRow } from './sections.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Affair.module.css'

/** A column and its fields; a field whose label is not the heading keeps its label. */
interface Column {
  heading: string
  fields: readonly string[]
}

const COLUMNS: Record<RowSection['name'], readonly Column[]> = {
  authorizer_board_member: [
    { heading: 'Board member name', fields: ['board_member_name'] },
    { heading: 'Board position', fields: ['board_position'] },
    { heading: 'Board term', fields: ['board_term'] },
    { heading: 'Charter voting position', fields: ['charter_voting_position'] },
    { heading: 'Charter voting notes', fields: ['charter_voting_notes'] },
    { heading: 'Authorizer', fields: ['authorizer'] },
  ],
  center_district: [
    { heading: 'Center name', fields: ['center_name', 'corp'] },
    { heading: 'Center locations', fields: ['center_locations'] },
    { heading: 'County', fields: ['county', 'out_of_county_center'] },
    { heading: 'Area superintendent', fields: ['area_sup'] },
    { heading: 'Districts', fields: ['high_school_district', 'elementary_district'] },
    { heading: 'Notes', fields: ['notes'] },
  ],
}

interface RowsProps {
  section: RowSection
  typed: string
}

const Cell = ({ column, row, typed }: { column: Column; row: ShownRow; typed: string }) =>
  column.fields
    .map((name) => row.fields.find((field) => field.name === name))
    .filter((field) => field !== undefined)
    .map((field) => (
      <div key={field.name} className={classes.cellPart} data-field={field.path} tabIndex={-1}>
        {field.label === column.heading ? null : <span className={`${textClasses.caption} ${classes.cellLabel}`}>{field.label}: </span>}
        <FieldText field={field} typed={typed} />
        <FieldDeadline field={field} element="div" />
      </div>
    ))

const Table = ({ section, typed }: RowsProps) => {
  const [first, ...others] = COLUMNS[section.name]
  if (!first) return null
  return (
    <table className={`${textClasses.small} ${layoutClasses.fullWidth} ${classes.table}`} aria-label={section.title}>
      <thead>
        <tr>
          {COLUMNS[section.name].map((column) => (
            <th key={column.heading} scope="col">
              {column.heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {section.rows.map((row) => (
          <tr key={row._id}>
            <th scope="row">
              <Cell column={first} row={row} typed={typed} />
            </th>
            {others.map((column) => (
              <td key={column.heading}>
                <Cell column={column} row={row} typed={typed} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Card = ({ name, fields, typed }: { name: ShownField; fields: ShownField[]; typed: string }) => (
  <li className={`${layoutClasses.framed} ${layoutClasses.padding16}`}>
    <h3 className={`${layoutClasses.breakable} ${textClasses.lines} ${textClasses.strong} ${layoutClasses.bottomMargin12}`}>
      {name.value === null ? 'No name' : <MatchedText text={name.value} typed={typed} />}
    </h3>
    <dl className={`${layoutClasses.grid} ${classes.fields}`}>
      {fields.map((field) => (
        <AffairField key={field.name} field={field} typed={typed} />
      ))}
    </dl>
  </li>
)

const Cards = ({ section, typed }: RowsProps) => (
  <ul className={`${layoutClasses.grid} ${layoutClasses.gap12}`} aria-label={section.title}>
    {section.rows.map(({ _id, fields: [name, ...fields] }) => (name ? <Card key={_id} name={name} fields={fields} typed={typed} /> : null))}
  </ul>
)

/** Members or districts: a table, or cards on narrow screens. */
export const AffairRows = (props: RowsProps) => {
  const narrow = useMediaQuery('screen and (max-width: 1100px)', false, { getInitialValueInEffect: false })
  return narrow ? <Cards {...props} /> : <Table {...props} />
}
