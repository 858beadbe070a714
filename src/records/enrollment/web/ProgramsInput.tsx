import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'

import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import { ValueList } from '../../../platform/web/form/ValueList.tsx'
import { DUPLICATE_PROGRAM } from '../contract.ts'
import { UNKNOWN_PROGRAM } from '../fields.ts'
import { toProgramTypes } from './enrollment-values.ts'
import { useProgramTypes } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './EnrollmentForm.module.css'

/** The program types of a site, without duplicates. */
export const ProgramsInput = ({ id, value, describedBy, onChange }: CustomInputProps) => {
  const { data: known = [] } = useProgramTypes()
  const [chosen, setChosen] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const programs = toProgramTypes(value)
  const add = () => {
    const program = known.find(({ _id }) => _id === chosen)
    const isThere = programs.some(({ _id }) => _id === chosen)
    setFault(program === undefined ? UNKNOWN_PROGRAM : isThere ? DUPLICATE_PROGRAM : null)
    if (program === undefined || isThere) return
    onChange([...programs, program])
    setChosen('')
  }
  return (
    <>
      <ValueList
        label="Chosen programs"
        entries={programs.map(({ _id, name }) => ({ key: _id, text: name }))}
        onRemove={(key) => onChange(programs.filter(({ _id }) => _id !== key))}
      />
      <div className={layoutClasses.wrappingRow}>
        <NativeSelect
          id={id}
          aria-label="Program"
          className={classes.select}
          value={chosen}
          error={fault !== null}
          aria-describedby={[describedBy, `${id}-fault`].filter(Boolean).join(' ')}
          data={[{ value: '', label: 'Choose a program' }, ...known.map(({ _id, name }) => ({ value: _id, label: name }))]}
          onChange={(event) => {
            setChosen(event.currentTarget.value)
            setFault(null)
          }}
        />
        <Button variant="default" onClick={add}>
          Add Program
        </Button>
      </div>
      <p id={`${id}-fault`} role="alert" className={`${textClasses.error} ${textClasses.smallerFont} ${classes.error}`}>
        {fault}
      </p>
    </>
  )
}
