import { Button, Checkbox, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { memo, useState } from 'react'

import { ToolButton } from './ToolButton.tsx'
import type { Table } from './use-table.ts'

import layoutClasses from '../kit/Layout.module.css'
import textClasses from '../kit/Text.module.css'
import classes from './ListTools.module.css'

const Menu = <T,>({ table }: { table: Table<T> }) => {
  const [isOpen, setOpen] = useState(false)
  const { columns, visibleColumns, setColumns, hasDefaultColumns } = table
  const shown = new Set(visibleColumns.map(({ key }) => key))
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" radius="lg" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ToolButton icon={IconColumns3} onClick={() => setOpen(!isOpen)}>
          Columns
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns" className={classes.panel}>
        {[...Map.groupBy(columns.slice(1), ({ detailOf = 'Columns' }) => detailOf)].map(([title, choices], nth) => (
          <fieldset key={title} className={`${layoutClasses.grid} ${classes.columns}`}>
            <legend className={`${textClasses.label} ${layoutClasses.bottomMargin12}`}>{title}</legend>
            {choices.map(({ key, label }, at) => (
              <Checkbox
                key={key}
                label={label}
                {...(nth + at === 0 ? { 'data-autofocus': true } : {})}
                checked={shown.has(key)}
                onChange={({ currentTarget }) =>
                  setColumns(columns.map((column) => column.key).filter((one) => (one === key ? currentTarget.checked : shown.has(one))))
                }
              />
            ))}
          </fieldset>
        ))}
        <Button size="compact-sm" variant="default" m={10} disabled={hasDefaultColumns} onClick={() => setColumns(undefined)}>
          Default Columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Selects the columns of a table; remembered for the list. The first one is always shown. */
export const ColumnsMenu = memo(Menu) as typeof Menu
