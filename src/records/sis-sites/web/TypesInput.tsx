import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'

import type { CustomInputProps } from '../../../platform/web/form/fields.ts'
import { ValueList } from '../../../platform/web/form/ValueList.tsx'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import classes from './SisForm.module.css'

export const toTypes = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : [])

/** The types of a SIS site. A typed value is added when the field loses focus. */
export const TypesInput = ({ id, value, describedBy, onChange }: CustomInputProps) => {
  const [next, setNext] = useState('')
  const types = toTypes(value)
  const add = () => {
    const typed = next.trim()
    if (typed !== '' && !types.includes(typed)) onChange([...types, typed])
    setNext('')
  }
  return (
    <>
      <ValueList
        label="Types"
        entries={types.map((type) => ({ key: type, text: type }))}
        onRemove={(key) => onChange(types.filter((type) => type !== key))}
      />
      <div className={`${layoutClasses.toolbar} ${classes.row}`}>
        <TextInput
          id={id}
          aria-label="New type"
          aria-describedby={describedBy}
          autoComplete="off"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button variant="default" onClick={add}>
          Add Type
        </Button>
      </div>
    </>
  )
}
